package snapshot

// The codes of a [Problem] that [Parse] and [ParseSession] find, in the order in
// which they look for them: only the first is reported. Types and values are judged field after
// field. The codes are stable.
const (
	CodeTooLarge          = "too-large"          // more than MaxBytes, or MaxSessionBytes
	CodeNotUTF8           = "not-utf8"           // a byte that is not part of valid UTF-8
	CodeNUL               = "nul"                // a NUL byte
	CodeEmpty             = "empty"              // no byte at all
	CodeBOM               = "bom"                // a byte order mark before the opening fence
	CodeNoOpeningFence    = "no-opening-fence"   // the first line is not ---
	CodeNoClosingFence    = "no-closing-fence"   // no second line that is ---
	CodeCRInHeader        = "cr-in-header"       // a carriage return in or between the fences
	CodeUnterminatedFence = "unterminated-fence" // the file ends with the closing fence's last byte
	CodeNoEmptyLine       = "no-empty-line"      // the line after the closing fence is not empty

	CodeLineSeparator  = "line-separator"  // U+0085, U+2028 or U+2029 in the header
	CodeYAML           = "yaml"            // the header is not YAML
	CodeSecondDocument = "second-document" // the header's YAML document ends before its closing fence
	CodeAnchor         = "anchor"          // an anchor or an alias
	CodeTag            = "tag"             // an explicit tag
	CodeMergeKey       = "merge-key"       // the key <<
	CodeNotMapping     = "not-mapping"     // the header is a list or a scalar
	CodeDuplicateKey   = "duplicate-key"   // a key that was there before
	CodeUnknownKey     = "unknown-key"     // a key that the header does not have

	CodeMissingField     = "missing-field"     // a field is absent
	CodeWrongType        = "wrong-type"        // a value of another YAML type
	CodeBadValue         = "bad-value"         // a value of the right type in the wrong form
	CodeArtifactMismatch = "artifact-mismatch" // artifact is not stage-snapshot, or session-handoff
	CodeSchemaVersion    = "schema-version"    // schema_version is not 1

	CodeTaskMismatch      = "task-mismatch"      // the snapshot of another task
	CodeSizeMismatch      = "size-mismatch"      // size_bytes is not the file's size
	CodeTruncatedMismatch = "truncated-mismatch" // truncated and the last line disagree

	// Of sessions alone.
	CodeSessionMismatch = "session-mismatch" // the artefact of another session
	CodeMissingLayer    = "missing-layer"    // a heading that the body must hold is absent
	CodeUnprovenClaim   = "unproven-claim"   // a line claims a success without saying whether it was verified
)

// The codes of a [Problem] that only who opens the file can find.
const (
	CodeSymlink          = "symlink"            // a symbolic link
	CodeNotRegular       = "not-regular"        // a directory, FIFO, socket or device
	CodeWrongOwner       = "wrong-owner"        // owned by another user
	CodeWritableByOthers = "writable-by-others" // group or others may write
	CodeUnreadable       = "unreadable"         // it cannot be opened or read
)
