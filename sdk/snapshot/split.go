package snapshot

import (
	"bytes"
	"strings"
)

const (
	fenceLine = "---"
	bom       = "\uFEFF"
)

// split takes a file apart at its fences. The header comes with its opening
// fence, which makes it a YAML document whose line numbers are the file's, and
// without its closing one; rest is what follows the closing fence's newline.
func split(data []byte) (header, rest []byte, p *Problem) {
	switch {
	case len(data) == 0:
		return nil, nil, problem(CodeEmpty, "the file is empty")
	case bytes.HasPrefix(data, []byte(bom)):
		return nil, nil, problem(CodeBOM, "the file begins with a byte order mark")
	}
	first, _, _ := strings.Cut(string(data[:min(len(data), maxDetail)]), "\n")
	switch {
	case strings.HasPrefix(first, fenceLine+"\r"):
		return nil, nil, problem(CodeCRInHeader, "line 1 holds a carriage return")
	case strings.TrimSpace(first) == "":
		return nil, nil, problem(CodeNoOpeningFence, "line 1 is blank, not the opening fence ---")
	case first != fenceLine:
		return nil, nil, problem(CodeNoOpeningFence, "line 1 is not the opening fence --- but %q", first)
	}
	end, next := closingFence(data)
	if end < 0 {
		return nil, nil, problem(CodeNoClosingFence, "no line after the first is the closing fence ---")
	}
	if at := bytes.IndexByte(data[:next], '\r'); at >= 0 {
		return nil, nil, problem(CodeCRInHeader, "line %d holds a carriage return", lineOf(data, at))
	}
	if next == end+len(fenceLine) {
		return nil, nil, problem(CodeUnterminatedFence, "no newline after the closing fence --- in line %d", lineOf(data, end))
	}
	return data[:end], data[next:], nil
}

// closingFence returns where the closing fence starts and where the line after
// it does; end is -1 when there is none. A carriage return does not hide it, so
// that the true reason is reported.
func closingFence(data []byte) (end, next int) {
	at := len(fenceLine) + 1
	for at < len(data) {
		line, _, terminated := bytes.Cut(data[at:], []byte("\n"))
		next = at + len(line)
		if terminated {
			next++
		}
		if string(bytes.TrimSuffix(line, []byte("\r"))) == fenceLine {
			return at, next
		}
		at = next
	}
	return -1, -1
}
