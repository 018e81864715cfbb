package host2plugin

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/proto"
)

type settings struct {
	Depth int `json:"depth"`
}

func (s *settings) Validate() error {
	if s.Depth < 0 {
		return errors.New("depth: must not be negative")
	}
	return nil
}

func TestConfigure(t *testing.T) {
	for name, test := range map[string]struct {
		json string
		want int
	}{
		"nothing":  {"", 1},
		"empty":    {"{}", 1},
		"settings": {`{"depth": 7}`, 7},
	} {
		spec := (&stub{}).spec()
		s := &settings{Depth: 1}
		spec.Settings = s
		got, err := serve(t, spec).Configure(t.Context(), []byte(test.json))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := &hook.Description{Name: "stub", Version: "1.0.0", Kinds: hook.Kinds()}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the description is %+v; want %+v", name, got, want)
		}
		if s.Depth != test.want {
			t.Errorf("%s: the setting is %d; want %d", name, s.Depth, test.want)
		}
	}
}

func TestConfigureRefusesSettings(t *testing.T) {
	for _, test := range []struct{ json, want string }{
		{`{"depht": 7}`, `settings: unknown key "depht"; there are: depth`},
		{`{"depth": "7"}`, `settings: depth: must be of type int, not string`},
		{`{"depth": -1}`, `settings: depth: must not be negative`},
		{`{}{}`, `settings: must be one JSON object`},
	} {
		spec := (&stub{}).spec()
		spec.Settings = &settings{}
		client := serve(t, spec)
		_, err := client.Configure(t.Context(), []byte(test.json))
		var failure *hook.Failure
		if !errors.As(err, &failure) || failure.Code != hook.FailureArgument || !strings.HasPrefix(failure.Message, test.want) {
			t.Errorf("%s: error is %#v; want %s", test.json, err, test.want)
		}
		if _, err := client.Configure(t.Context(), []byte(`{"depth": 7}`)); err != nil {
			t.Errorf("after a refusal: %v", err)
		}
	}
}

func TestConfigureComesOnce(t *testing.T) {
	spec := (&stub{}).spec()
	s := &settings{}
	spec.Settings = s
	client := serve(t, spec)
	if _, err := client.Configure(t.Context(), []byte(`{"depth": 7}`)); err != nil {
		t.Fatal(err)
	}
	_, err := client.Configure(t.Context(), []byte(`{"depth": 8}`))
	if status.Code(err) != codes.FailedPrecondition || s.Depth != 7 {
		t.Errorf("error is %v, the setting %d", err, s.Depth)
	}
}

// A plugin of somebody else may forget to say what it is.
type nameless struct {
	proto.UnimplementedPluginServer
}

func (nameless) Configure(context.Context, *proto.ConfigureRequest) (*proto.ConfigureResponse, error) {
	return &proto.ConfigureResponse{}, nil
}

func TestConfigureWithoutDescription(t *testing.T) {
	client := connect(t, func(server *grpc.Server) { proto.RegisterPluginServer(server, nameless{}) })
	_, err := client.Configure(t.Context(), nil)
	var broken *ProtocolError
	if !errors.As(err, &broken) || err.Error() != "broke the protocol: name: missing" {
		t.Errorf("error is %v", err)
	}
}

// go-plugin finds both ends under the version of the protocol.
func TestPlugins(t *testing.T) {
	version := int(Handshake().ProtocolVersion)
	s := &stub{result: &hook.ArchiveResult{Path: "x"}}
	theirs := Plugins(s.spec())[version][Name].(goplugin.GRPCPlugin)
	client := connect(t, func(server *grpc.Server) {
		if err := theirs.GRPCServer(nil, server); err != nil {
			t.Error(err)
		}
	})
	if _, err := client.Archive(t.Context(), &hook.ArchiveRequest{Task: task}); err != nil {
		t.Error(err)
	}
	ours := Plugins(nil)[version][Name].(goplugin.GRPCPlugin)
	if made, err := ours.GRPCClient(t.Context(), nil, nil); err != nil {
		t.Error(err)
	} else if _, ok := made.(*Client); !ok {
		t.Errorf("the host's end is a %T", made)
	}
}
