package fromproto_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/fromproto"
	"github.com/stagehook/stagehook/sdk/internal/proto"
	"github.com/stagehook/stagehook/sdk/internal/toproto"
)

// everything serves every kind.
type everything struct {
	hook.Writer
	hook.Validator
	hook.Revalidator
	hook.Renderer
	hook.Archiver
	hook.Observer
}

func TestDescription(t *testing.T) {
	impl := everything{}
	spec := &hook.Spec{
		Name: "all", Version: "1.2.3", Stateless: true,
		Writer: impl, Validator: impl, Revalidator: impl, Renderer: impl, Archiver: impl, Observer: impl,
	}
	got, err := fromproto.Description(overWire(t, toproto.Description(spec)))
	if err != nil {
		t.Fatal(err)
	}
	want := &hook.Description{Name: "all", Version: "1.2.3", Kinds: hook.Kinds(), Stateless: true}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	m := toproto.Description(spec)
	if missing := unsetFields("", m.ProtoReflect()); len(missing) > 0 {
		t.Errorf("the message lacks %q", missing)
	}
}

func TestDescriptionKeepsKindsOfLaterProtocols(t *testing.T) {
	got, err := fromproto.Description(&proto.ConfigureResponse{Name: "a", Version: "1.0.0", Kinds: []string{"summarizer", "writer"}})
	if err != nil {
		t.Fatal(err)
	}
	if want := []hook.Kind{"summarizer", hook.KindWriter}; !slices.Equal(got.Kinds, want) {
		t.Errorf("got %q, want %q", got.Kinds, want)
	}
}
