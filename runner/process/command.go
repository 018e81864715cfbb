package process

import (
	"time"

	"github.com/hashicorp/go-hclog"
)

// Command says which process to start and within which limits.
type Command struct {
	// Plugin is the configured name, for messages.
	Plugin string
	// Argv is the program and its arguments. A program without a slash is looked
	// up in PATH.
	Argv []string
	// SHA256 is what the bytes of the program must hash to, 64 hex digits; empty
	// when any will do.
	SHA256 string
	// Environ is the complete environment, see [Environ].
	Environ []string
	// Settings are handed to the plugin before its first call, a JSON object.
	Settings []byte
	// MTLS asks for mutual TLS on the socket. On Windows it is always on, since
	// plugins listen on TCP there.
	MTLS bool
	// StartTimeout is the time from the start of the process until it answered
	// its first call.
	StartTimeout time.Duration
	// StopTimeout is the time from asking the plugin to end until its process
	// group is killed. A plugin that has failed gets half a second at most.
	StopTimeout time.Duration
	// Log receives the plugin's own log.
	Log hclog.Logger
}
