//go:build unix

package process

import (
	"io"
	"os"
	"strings"
	"testing"
)

// TestHandshake pins what go-plugin, a message and the log get of a plugin's
// standard output.
func TestHandshake(t *testing.T) {
	long := strings.Repeat("x", maxHandshake)
	for name, test := range map[string]struct{ output, read, line, log string }{
		"nothing":          {"", "", "", ""},
		"half a line":      {"1|1", "1|1", "1|1", ""},
		"a line":           {"1|1\r\n", "1|1\r\n", "1|1", ""},
		"an empty line":    {"\n1|1\n", "\n", "", "[DEBUG] 1|1\n"},
		"lines":            {"1|1\n2\n3\n", "1|1\n", "1|1", "[DEBUG] 2\n[DEBUG] 3\n"},
		"the longest line": {long + "\n2\n", long + "\n", long, "[DEBUG] 2\n"},
		"a longer line":    {long + "x\n2\n", long, long, ""},
	} {
		for _, size := range []int{1, 1000, 1 << 20} { // however it arrives
			reader, writer, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				io.WriteString(writer, test.output)
				writer.Close()
			}()
			log := &logSink{}
			h := &handshake{pipe: reader, rest: (&output{log: log.logger()}).fromStdout()}
			var read strings.Builder
			_, err = io.CopyBuffer(struct{ io.Writer }{&read}, h, make([]byte, size))
			h.Close()
			if err != nil || read.String() != test.read || h.String() != test.line || log.String() != test.log {
				t.Errorf("%s by %d: read %.20q, error %v, the line is %.20q, the log %q", name, size, read.String(), err, h, log)
			}
		}
	}
}
