package fromproto

import (
	"errors"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/proto"
)

// Description has the name, the version and the kinds. Kinds of a later protocol
// may be among them.
func Description(m *proto.ConfigureResponse) (*hook.Description, error) {
	switch {
	case m.GetName() == "":
		return nil, errors.New("name: missing")
	case m.GetVersion() == "":
		return nil, errors.New("version: missing")
	case len(m.GetKinds()) == 0:
		return nil, errors.New("kinds: missing")
	}
	d := &hook.Description{Name: m.GetName(), Version: m.GetVersion()}
	for _, kind := range m.GetKinds() {
		d.Kinds = append(d.Kinds, hook.Kind(kind))
	}
	return d, nil
}
