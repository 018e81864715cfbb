package conformance

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/fromproto"
)

func wireRules() []rule {
	return []rule{
		{name: "empty-message", check: each((*trial).refusesEmpty), holds: "a message without any field is refused as an argument"},
		{name: "unknown-field", check: each((*trial).ignoresField), holds: "a field of a later protocol is ignored"},
		{name: "unknown-enum", check: checkEnum, holds: "an unknown value of an enum is refused as an argument",
			applies: func(s *suite) bool { return slices.Contains(s.description.Kinds, hook.KindValidator) }},
		{name: "large-message", check: each((*trial).takesLarge), holds: "a message of 5 MiB is taken"},
	}
}

// methods are the names of the calls on the wire.
var methods = map[hook.Kind]string{
	hook.KindWriter:      "/stagehook.v1.Writer/Write",
	hook.KindValidator:   "/stagehook.v1.Validator/Validate",
	hook.KindRevalidator: "/stagehook.v1.Revalidator/Revalidate",
	hook.KindRenderer:    "/stagehook.v1.Renderer/Render",
	hook.KindArchiver:    "/stagehook.v1.Archiver/Archive",
	hook.KindObserver:    "/stagehook.v1.Observer/Observe",
}

// unknownField is a number that no message of the protocol has.
const unknownField protowire.Number = 1999

// raw makes a call with a message that the types of this SDK cannot make.
func (t *trial) raw(message []byte) error {
	var answer []byte
	return fromproto.Failure(t.conn.Invoke(t.ctx, methods[t.kind], message, &answer, grpc.ForceCodec(asIs{})))
}

// asIs is a codec for messages that are encoded already.
type asIs struct{}

func (asIs) Name() string { return "proto" }

func (asIs) Marshal(message any) ([]byte, error) { return message.([]byte), nil }

func (asIs) Unmarshal(data []byte, answer any) error {
	*answer.(*[]byte) = bytes.Clone(data)
	return nil
}

// rawAnswers makes the call with more behind the message.
func (t *trial) rawAnswers(more []byte) error {
	message, err := t.sample.message(t.kind)
	if err != nil {
		return err
	}
	return t.answered(t.raw(append(message, more...)))
}

// refusesEmpty also looks whether the plugin goes on.
func (t *trial) refusesEmpty() error {
	if err := t.refusesArgument(t.raw(nil)); err != nil {
		return fmt.Errorf("a message without fields: %w", err)
	}
	if err := t.answers(); err != nil {
		return fmt.Errorf("a call after a refused one: %w", err)
	}
	return nil
}

func (t *trial) ignoresField() error {
	more := protowire.AppendTag(nil, unknownField, protowire.BytesType)
	more = protowire.AppendString(more, "of a later protocol")
	more = protowire.AppendTag(more, unknownField+1, protowire.VarintType)
	more = protowire.AppendVarint(more, 7)
	if err := t.rawAnswers(more); err != nil {
		return fmt.Errorf("a message with an unknown field: %w", err)
	}
	return nil
}

// checkEnum sends a level of a later protocol, which stands behind the known one
// and so counts.
func checkEnum(ctx context.Context, s *suite) error {
	return s.on(ctx, []hook.Kind{hook.KindValidator}, func(t *trial) error {
		message, err := t.sample.message(t.kind)
		if err != nil {
			return err
		}
		message = protowire.AppendTag(message, 2, protowire.VarintType)
		message = protowire.AppendVarint(message, 99)
		if err := t.refusesArgument(t.raw(message)); err != nil {
			return fmt.Errorf("the level 99: %w", err)
		}
		return nil
	})
}

// takesLarge fills the body, and in messages that have none an unknown field.
func (t *trial) takesLarge() error {
	const size = 5 << 20
	large := bytes.Repeat([]byte("A line of a long answer.\n"), size/25+1)[:size]
	var err error
	if takesBody(t.kind) {
		t.sample.body = large
		err = t.answers()
	} else {
		more := protowire.AppendTag(nil, unknownField, protowire.BytesType)
		err = t.rawAnswers(protowire.AppendBytes(more, large))
	}
	if err != nil {
		return fmt.Errorf("a message of 5 MiB; up to %d must be taken: %w", hook.MaxMessageBytes>>20, err)
	}
	return nil
}
