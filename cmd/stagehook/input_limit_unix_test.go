//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/stagehook/stagehook/runner"
)

// The reading of both files ends in time, and the message says of which.
func TestInputThatDoesNotEnd(t *testing.T) {
	const late = " did not end within 300ms, the input_timeout"
	lone := fifo(t)
	for name, test := range map[string]struct {
		flags []string
		line  string
	}{
		"no writer":             {[]string{"--body-file", lone}, "--body-file: " + lone + late},
		"silent input":          {[]string{"--body-file", "-"}, "--body-file: standard input" + late},
		"silent input, by path": {[]string{"--body-file", "/dev/stdin"}, "--body-file: standard input" + late},
		"no writer of options":  {[]string{"--body-file", "/dev/null", "--options-file", lone}, "--options-file: " + lone + late},
		"options as input":      {[]string{"--body-file", "/dev/null", "--options-file", "-"}, "--options-file: standard input" + late},
	} {
		t.Run(name, func(t *testing.T) {
			reader, writer, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer reader.Close()
			defer writer.Close() // after the command has ended
			if _, err := writer.WriteString("the beginning"); err != nil {
				t.Fatal(err)
			}
			c := newCall(t, test.flags...)
			c.Stdin = reader
			c.Env = append(c.Env, "STAGEHOOK_INPUT_TIMEOUT=300ms")
			c.run().wantRefused(test.line)
		})
	}
}

// A signal does not wait for the limit.
func TestSignalEndsTheReadingOfInput(t *testing.T) {
	path := fifo(t)
	c := newCall(t, "--body-file", path)
	c.Env = append(c.Env, "STAGEHOOK_INPUT_TIMEOUT=1h")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	writer, err := os.OpenFile(path, os.O_WRONLY, 0) // waits for the reader
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if c.ends(); c.code != 128+int(syscall.SIGTERM) || c.stderr.String() != "stagehook: ended by terminated\n" {
		t.Errorf("exit code %d, %q", c.code, c.stderr.String())
	}
}

// Of a body that is larger than any snapshot the beginning is stored, and no
// more is read than it takes to know that there is more.
func TestInputLargerThanItsLimit(t *testing.T) {
	path := file(t, "body", strings.Repeat("€", runner.MaxBodyBytes/3+1000))
	input, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer input.Close()
	c := newCall(t, "--body-file", "-", "--json")
	c.Stdin = input
	c.run()
	const warning = "--body-file: only the first 16777215 bytes were read, the rest was not"
	if c.code != 0 || c.stderr.String() != "stagehook: warning: "+warning+"\n" ||
		!strings.Contains(c.stdout.String(), `"truncated":true,"warnings":["`+warning+`"]`) {
		t.Errorf("exit code %d, %s%s", c.code, c.stdout.String(), c.stderr.String())
	}
	if offset, err := input.Seek(0, io.SeekCurrent); err != nil || offset != runner.MaxBodyBytes+1 {
		t.Errorf("%d bytes were read, %v; want %d", offset, err, runner.MaxBodyBytes+1)
	}

	large := file(t, "options", strings.Repeat("/dr-do | x\n", runner.MaxOptionsBytes/11+1))
	newCall(t, "--body-file", "/dev/null", "--options-file", large).run().
		wantRefused("--options-file: " + large + " is larger than 262144 bytes")
}

// At the limit nothing is cut, and nobody warned.
func TestInputAtItsLimit(t *testing.T) {
	for size, whole := range map[int]bool{99: true, 100: true, 101: false, 1000: false} {
		s := &session{in: bytes.NewReader(bytes.Repeat([]byte("x"), size))}
		data, all, err := s.readInput(t.Context(), "-", 100)
		if err != nil || all != whole || len(data) != min(size, 100) {
			t.Errorf("%d bytes: %d were read, all: %t, %v", size, len(data), all, err)
		}
	}
}

func TestWholeRunes(t *testing.T) {
	for text, want := range map[string]string{
		"abcdef":                "abcd",
		"abé€":                  "abé",
		"abcé€":                 "abc",
		"a€x":                   "a€",
		"ab€x":                  "ab",
		"🚀x":                    "🚀",
		"a🚀":                    "a",
		"abc🚀":                  "abc",
		"abcd\x80":              "abc", // cut where a character may begin
		"\x80\x80\x80\x80\x80":  "\x80\x80\x80\x80",
		"a\x80\x80\x80\x80\x80": "a\x80\x80\x80",
	} {
		if got := wholeRunes([]byte(text), 4); string(got) != want {
			t.Errorf("%q: got %q; want %q", text, got, want)
		}
	}
}
