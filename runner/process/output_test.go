package process

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/go-hclog"
)

// logSink is a log to look at.
type logSink struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logSink) Write(data []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(data)
}

func (l *logSink) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (l *logSink) logger() hclog.Logger {
	return hclog.New(&hclog.LoggerOptions{Output: l, Level: hclog.Trace, DisableTime: true})
}

// TestLogLines pins what becomes of a line on standard error, in the log and in a
// message.
func TestLogLines(t *testing.T) {
	tests := map[string]struct{ line, log, tail string }{
		"text":             {"hello", "[DEBUG] hello", "hello"},
		"blanks":           {" \t ", "", ""},
		"log line":         {`{"@level":"warn","@message":"low","@timestamp":"x","b":2,"a":"1"}`, "[WARN]  low: a=1 b=2", "low"},
		"info":             {`{"@level":"info","@message":"x"}`, "[INFO]  x", "x"},
		"debug":            {`{"@level":"debug","@message":"x"}`, "[DEBUG] x", ""},
		"error value":      {`{"@level":"error","@message":"failed","error":"no disk"}`, `[ERROR] failed: error="no disk"`, "failed: no disk"},
		"mistyped error":   {`{"@level":"error","@message":"failed","error":5}`, `[ERROR] failed: error=5`, "failed"},
		"no level":         {`{"@message":"x"}`, "[DEBUG] x", ""},
		"unknown level":    {`{"@level":"loud","@message":"x"}`, "[DEBUG] x", ""},
		"level off":        {`{"@level":"off","@message":"x"}`, "[DEBUG] x", ""},
		"mistyped level":   {`{"@level":7,"@message":"x"}`, "[DEBUG] x", ""},
		"mistyped time":    {`{"@timestamp":7,"@level":"info","@message":"x"}`, "[INFO]  x", "x"},
		"mistyped message": {`{"@message":1}`, `[DEBUG] {"@message":1}`, `{"@message":1}`},
		"null message":     {`{"@message":null}`, `[DEBUG] {"@message":null}`, `{"@message":null}`},
		"no message":       {`{"a":1}`, `[DEBUG] {"a":1}`, `{"a":1}`},
		"half JSON":        {`{"@message":"x"`, `[DEBUG] {"@message":"x"`, `{"@message":"x"`},
		"list":             {`["@message"]`, `[DEBUG] ["@message"]`, `["@message"]`},
		"controls":         {"a\x1b[31m\x07b\u202ec\u2028d", "[DEBUG] a [31m b c d", "a [31m b c d"},
		"controls in JSON": {`{"@level":"info","@message":"a\u001b[31mb\nc","k\u001b":"v\u001b"}`, `[INFO]  a [31mb c: k="v\x1b"`, "a [31mb c"},
		"invalid UTF-8":    {"a\xff\xfeb", "[DEBUG] a\uFFFDb", "a\uFFFDb"},
		"carriage returns": {"10%\r20%\r", "[DEBUG] 10% 20%", "10% 20%"},
		"a panic":          {"panic: boom", "[DEBUG] panic: boom", "panic: boom"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			log := &logSink{}
			o := &output{log: log.logger()}
			io.WriteString(o.fromStderr(), test.line+"\n")
			if got := strings.TrimSuffix(log.String(), "\n"); got != test.log {
				t.Errorf("log is %q; want %q", got, test.log)
			}
			if got := o.tail(); got != test.tail {
				t.Errorf("tail is %q; want %q", got, test.tail)
			}
		})
	}
}

// A logger that is off writes what has the level "off".
func TestLogLineCannotPassALoggerThatIsOff(t *testing.T) {
	log := &logSink{}
	o := &output{log: hclog.New(&hclog.LoggerOptions{Output: log, Level: hclog.Off})}
	io.WriteString(o.fromStderr(), `{"@level":"off","@message":"x"}`+"\n")
	if log.String() != "" {
		t.Errorf("log is %q", log)
	}
}

func TestTail(t *testing.T) {
	long := strings.Repeat("é", 1000)
	tests := map[string]struct{ text, want string }{
		"nothing":            {"", ""},
		"half a line":        {"one\ntwo", "one | two"},
		"the last lines":     {"1\n2\n3\n4\n\n5\n", "3 | 4 | 5"},
		"half a long line":   {long, long[:400] + "…"},
		"a long line before": {long + "\nlast\n", "last"},
		"a long last line":   {"one\nx" + long + "\n", "x" + long[:398] + "…"},
		"a panic":            {"one\npanic: boom\n\ngoroutine 1 [running]:\nmain.main()\n\t/x.go:1\n", "panic: boom"},
		"a logged panic":     {`{"@level":"error","@message":"panic: boom"}` + "\n2\n3\n4\n", "2 | 3 | 4"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			o := &output{log: hclog.NewNullLogger()}
			stderr := o.fromStderr()
			for _, b := range []byte(test.text) { // however it arrives
				stderr.Write([]byte{b})
			}
			if got := o.tail(); got != test.want {
				t.Errorf("tail is %q; want %q", got, test.want)
			}
		})
	}
}

// Half a line on one way does not spoil the lines of another.
func TestStreamsKeepApart(t *testing.T) {
	log := &logSink{}
	o := &output{log: log.logger()}
	stdout, stderr := o.fromStdout(), o.fromStderr()
	fmt.Fprint(stdout, "50%")
	fmt.Fprintln(stderr, `{"@level":"warn","@message":"low"}`)
	fmt.Fprintln(stdout, " 100%")
	if want := "[WARN]  low\n[DEBUG] 50% 100%\n"; log.String() != want {
		t.Errorf("log is %q; want %q", log, want)
	}
	if got := o.tail(); got != "low" {
		t.Errorf("tail is %q; want standard error only", got)
	}
}

// A line is kept up to a bound, and the next one is whole again.
func TestLongLine(t *testing.T) {
	log := &logSink{}
	o := &output{log: log.logger()}
	stderr := o.fromStderr().(*stream)
	for range 1024 {
		stderr.Write(bytes.Repeat([]byte{'x'}, 1024))
	}
	if cap(stderr.partial) > 2*maxLine {
		t.Errorf("keeps %d bytes", cap(stderr.partial))
	}
	fmt.Fprint(stderr, "\nlast\n")
	if want := "[DEBUG] " + strings.Repeat("x", maxLine) + "\n[DEBUG] last\n"; log.String() != want {
		t.Errorf("log has %d bytes; want %d", len(log.String()), len(want))
	}
}
