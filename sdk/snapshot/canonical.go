package snapshot

import (
	"strings"

	"github.com/stagehook/stagehook/sdk/identity"
)

// readCanonical reads a header that is spelled as [Render] spells it; ok is false
// for any other, which may well be valid. It is there for speed: it gives the
// fields that decode gives, at a tenth of the cost.
func readCanonical(header []byte) (fields []field, ok bool) {
	text := string(header)
	fields = make([]field, 0, len(fieldNames))
	number := 1
	next := func() (line string) {
		number++
		line, text, _ = strings.Cut(text, "\n")
		return line
	}
	text = text[len(fenceLine)+1:]
	for _, name := range fieldNames {
		f := field{key: name}
		rest, found := strings.CutPrefix(next(), name+":")
		if f.line = number; !found {
			return nil, false
		}
		if name == "options" {
			f.value.form = formPlain // null
			for strings.HasPrefix(text, "  - ") {
				option, ok := readQuoted(next()[len("  - "):])
				if !ok {
					return nil, false
				}
				f.value.form = formList
				f.value.items = append(f.value.items, option)
			}
			if rest != "" {
				return nil, false
			}
		} else if f.value, ok = readScalar(rest); !ok {
			return nil, false
		}
		fields = append(fields, f)
	}
	return fields, text == ""
}

// readScalar reads what follows the colon behind a key.
func readScalar(rest string) (v value, ok bool) {
	text, spaced := strings.CutPrefix(rest, " ")
	if strings.HasPrefix(text, `"`) {
		v, ok = readQuoted(text)
		return v, ok && spaced
	}
	ok = spaced && fitsPlain(text) && identity.Line("", text) == nil
	return value{form: formPlain, text: text}, ok
}

// readQuoted reads a scalar in double quotes that escapes nothing but quotes and
// backslashes.
func readQuoted(text string) (v value, ok bool) {
	if len(text) < 2 || text[0] != '"' || text[len(text)-1] != '"' || identity.Line("", text) != nil {
		return value{}, false
	}
	text = text[1 : len(text)-1]
	if strings.ContainsAny(text, `"\`) {
		if text, ok = unescape(text); !ok {
			return value{}, false
		}
	}
	for _, r := range text {
		if needsEscape(r) {
			return value{}, false
		}
	}
	return value{form: formQuoted, text: text}, true
}

func unescape(text string) (plain string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '"' {
			return "", false
		}
		if c == '\\' {
			if i++; i == len(text) || text[i] != '"' && text[i] != '\\' {
				return "", false
			}
			c = text[i]
		}
		b.WriteByte(c)
	}
	return b.String(), true
}
