package toproto

import (
	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/proto"
)

// Description is what a plugin answers to its first call.
func Description(spec *hook.Spec) *proto.ConfigureResponse {
	m := &proto.ConfigureResponse{Name: spec.Name, Version: spec.Version, Stateless: spec.Stateless}
	for _, kind := range spec.Kinds() {
		m.Kinds = append(m.Kinds, string(kind))
	}
	return m
}
