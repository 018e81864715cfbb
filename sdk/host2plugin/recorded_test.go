package host2plugin

import (
	"fmt"
	"os"

	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	gproto "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/stagehook/stagehook/sdk/hook"
)

// testdata/v1 is what host and plugin said to each other before the first field
// was added to version 1. Interceptors of a server of that time wrote down, for
// each exchange of [exchanges] and a Configure, the messages of both directions,
// marshaled deterministically and named after their type; Failure.binpb is the
// status of a failed Write. plugin.binpb is the form of these messages, from
// "buf build --as-file-descriptor-set --exclude-source-info". The files are never
// made again: what was said once must be understood for as long as version 1 is.

// recordedFailure is what Failure.binpb says.
var recordedFailure = hook.Failure{Code: hook.FailureLockTimeout, Message: "held by 7 – Танец", Hint: "stagehook unlock"}

// recorded returns the bytes of a recorded message.
func recorded(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "v1", name+".binpb"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// oldForm is the form of the recorded messages.
func oldForm(t *testing.T) protoreflect.FileDescriptor {
	t.Helper()
	var set descriptorpb.FileDescriptorSet
	unmarshal(t, recorded(t, "plugin"), &set)
	files, err := protodesc.NewFiles(&set)
	if err != nil {
		t.Fatal(err)
	}
	file, err := files.FindFileByPath("stagehook/v1/plugin.proto")
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// read reads a message as the other side of that time does: of the fields it
// knows it keeps the values, the others it ignores.
func read(t *testing.T, form protoreflect.MessageDescriptor, data []byte) gproto.Message {
	t.Helper()
	m := dynamicpb.NewMessage(form)
	if err := (gproto.UnmarshalOptions{DiscardUnknown: true, Resolver: new(protoregistry.Types)}).Unmarshal(data, m); err != nil {
		t.Fatal(err)
	}
	return m
}

func unmarshal(t *testing.T, data []byte, m gproto.Message) {
	t.Helper()
	if err := gproto.Unmarshal(data, m); err != nil {
		t.Fatal(err)
	}
}

// raw is a message of just these bytes: fields that an empty message does not know.
func raw(data []byte) *emptypb.Empty {
	m := &emptypb.Empty{}
	m.ProtoReflect().SetUnknown(data)
	return m
}

func bytesOf(m *emptypb.Empty) []byte { return m.ProtoReflect().GetUnknown() }

// An old host is served by a plugin of today: its requests mean what they meant,
// and it understands the answers.
func TestRecordedRequests(t *testing.T) {
	results := map[string]exchange{"ConfigureRequest": {}}
	for _, e := range exchanges(task) {
		results[reflect.TypeOf(e.request).Elem().Name()] = e
	}
	services := oldForm(t).Services()
	for i := range services.Len() {
		method := services.Get(i).Methods().Get(0)
		name := string(method.Input().Name())
		t.Run(name, func(t *testing.T) {
			e, known := results[name]
			if !known {
				t.Fatal("no exchange is left that has such a request")
			}
			s := &stub{result: e.result}
			spec := s.spec()
			depth := &settings{}
			spec.Settings, spec.Stateless = depth, true
			conn := dial(t, func(server *grpc.Server) { Register(server, spec) })
			answer := &emptypb.Empty{}
			if err := conn.Invoke(t.Context(), fullName(method), raw(recorded(t, name)), answer); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(s.request, e.request) {
				t.Errorf("the plugin got %+v; want %+v", s.request, e.request)
			}
			if e.request == nil && depth.Depth != 7 {
				t.Errorf("the setting is %d; want 7", depth.Depth)
			}
			got := read(t, method.Output(), bytesOf(answer))
			want := read(t, method.Output(), recorded(t, string(method.Output().Name())))
			if !gproto.Equal(got, want) {
				t.Errorf("the old host reads %v; want %v", got, want)
			}
		})
	}
}

// An old plugin serves a host of today: its answers mean what they meant, and it
// understands the requests.
func TestRecordedResponses(t *testing.T) {
	calls := map[string]func(*Client) (got, want any, err error){
		"Configure": func(client *Client) (any, any, error) {
			got, err := client.Configure(t.Context(), []byte(`{"depth":7}`))
			return got, &hook.Description{Name: "stub", Version: "1.0.0", Kinds: hook.Kinds(), Stateless: true}, err
		},
	}
	for _, e := range exchanges(task) {
		calls[serviceMethod(e.request)] = func(client *Client) (any, any, error) {
			got, err := e.call(t.Context(), client, e.request)
			return got, e.result, err
		}
	}
	services := oldForm(t).Services()
	for i := range services.Len() {
		method := services.Get(i).Methods().Get(0)
		t.Run(string(method.Name()), func(t *testing.T) {
			call, known := calls[string(method.Name())]
			if !known {
				t.Fatal("no exchange is left that makes such a call")
			}
			request := &emptypb.Empty{}
			client := connect(t, func(*grpc.Server) {}, answerWith(func(called string) (*emptypb.Empty, error) {
				if called != fullName(method) {
					return nil, fmt.Errorf("called was %s", called)
				}
				return raw(recorded(t, string(method.Output().Name()))), nil
			}, request))
			got, want, err := call(client)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("the host got %+v; want %+v", got, want)
			}
			asked := read(t, method.Input(), bytesOf(request))
			if want := read(t, method.Input(), recorded(t, string(method.Input().Name()))); !gproto.Equal(asked, want) {
				t.Errorf("the old plugin reads %v; want %v", asked, want)
			}
		})
	}
}

// A failure keeps its meaning between an old side and one of today.
func TestRecordedFailure(t *testing.T) {
	old := status.New(codes.OK, "").Proto() // to be filled
	unmarshal(t, recorded(t, "Failure"), old)
	e := exchanges(task)[0]
	client := connect(t, func(*grpc.Server) {}, answerWith(func(string) (*emptypb.Empty, error) {
		return nil, status.FromProto(old).Err()
	}, &emptypb.Empty{}))
	_, err := e.call(t.Context(), client, e.request)
	wantFailure(t, err, recordedFailure)

	conn := dial(t, func(server *grpc.Server) { Register(server, (&stub{err: &recordedFailure}).spec()) })
	err = conn.Invoke(t.Context(), "/stagehook.v1.Writer/Write", raw(recorded(t, "WriteRequest")), &emptypb.Empty{})
	today := status.Convert(err).Proto()
	if today.GetCode() != old.GetCode() || len(today.GetDetails()) != len(old.GetDetails()) {
		t.Fatalf("the status is %v; want %v", today, old)
	}
	form := oldForm(t).Messages().ByName("Failure")
	for i, detail := range today.GetDetails() {
		got, want := read(t, form, detail.GetValue()), read(t, form, old.GetDetails()[i].GetValue())
		if detail.GetTypeUrl() != old.GetDetails()[i].GetTypeUrl() || !gproto.Equal(got, want) {
			t.Errorf("the old host reads %v; want %v", got, want)
		}
	}
}

// answerWith makes a server of nothing but bytes: it keeps the request and sends
// what answer returns, whatever is called.
func answerWith(answer func(called string) (*emptypb.Empty, error), request *emptypb.Empty) grpc.ServerOption {
	return grpc.UnknownServiceHandler(func(_ any, stream grpc.ServerStream) error {
		if err := stream.RecvMsg(request); err != nil {
			return err
		}
		called, _ := grpc.MethodFromServerStream(stream)
		response, err := answer(called)
		if err != nil {
			return err
		}
		return stream.SendMsg(response)
	})
}

func fullName(method protoreflect.MethodDescriptor) string {
	return fmt.Sprintf("/%s/%s", method.Parent().FullName(), method.Name())
}

// serviceMethod is "Write" for a [*hook.WriteRequest].
func serviceMethod(request any) string {
	name := reflect.TypeOf(request).Elem().Name()
	return strings.TrimSuffix(name, "Request")
}
