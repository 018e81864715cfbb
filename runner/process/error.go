package process

// Error says that a plugin could not be started, crashed, timed out or broke the
// protocol.
type Error struct {
	// Plugin is the configured name.
	Plugin string
	// What happened, such as "exited with status 3 before it was ready".
	What string
	// Stderr is the end of what the plugin wrote to standard error, on one line;
	// may be empty.
	Stderr string
	// Hint is one line on what to do; may be empty.
	Hint string
}

func (e *Error) Error() string {
	text := "plugin " + e.Plugin + ": " + e.What
	if e.Stderr != "" {
		text += ": " + e.Stderr
	}
	return text
}
