package hook

import (
	"strings"
	"time"
)

// ProtocolVersion is the version of the wire protocol that this SDK speaks. It
// grows when an old plugin and a new host would misunderstand each other.
const ProtocolVersion = 1

// The handshake cookie tells a plugin that a host started it, so that a person
// who runs the binary by hand gets an explanation. It is no secret.
const (
	CookieKey   = "STAGEHOOK_PLUGIN"
	CookieValue = "a5c6f7b2-stage-exit-resume-archive"
)

// IsProtocolVariable reports whether a variable of the environment is one of the
// plugin protocol: go-plugin's or the handshake's. They are between a host and one
// plugin; passed on, they would turn its own use of the protocol against it.
func IsProtocolVariable(name string) bool {
	return strings.HasPrefix(name, "PLUGIN_") || strings.HasPrefix(name, CookieKey)
}

// EnvLogLevel names the variable by which a host tells its plugins how much to
// log, an hclog level.
const EnvLogLevel = "STAGEHOOK_PLUGIN_LOG"

// MaxMessageBytes bounds one message on the wire in either direction. It leaves
// room for the largest body that the runner accepts.
const MaxMessageBytes = 32 << 20

// StopGrace is how long a plugin that must end may use to finish the calls it
// is in: enough to drop a lock and a temporary file, and short enough to be gone
// before a host loses patience.
const StopGrace = 1500 * time.Millisecond
