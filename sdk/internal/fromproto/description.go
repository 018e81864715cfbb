package fromproto

import (
	"errors"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/proto"
)

// Description has all but the protocols and the settings. Kinds of a later protocol
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
	d := &hook.Description{Name: m.GetName(), Version: m.GetVersion(), Stateless: m.GetStateless()}
	for _, kind := range m.GetKinds() {
		d.Kinds = append(d.Kinds, hook.Kind(kind))
	}
	return d, nil
}
