package snapshot

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// html is a kind of raw HTML block. Backticks inside one are no fence.
type html byte

const (
	htmlVerbatim html = iota // of a tag whose content is not Markdown, up to its end tag
	htmlComment
	htmlInstruction
	htmlDeclaration
	htmlCDATA
	htmlTag    // of another block's tag, up to a blank line
	htmlAnyTag // of a tag alone in its line, up to a blank line
)

// htmlEnds are what ends the kinds that no blank line does, with its line.
var htmlEnds = [...][]string{
	htmlVerbatim:    {"</script>", "</pre>", "</style>", "</textarea>"},
	htmlComment:     {"-->"},
	htmlInstruction: {"?>"},
	htmlDeclaration: {">"},
	htmlCDATA:       {"]]>"},
}

// htmlTags are the tags that can begin an htmlTag.
var htmlTags = strings.Fields(`address article aside base basefont blockquote body caption center col colgroup dd
	details dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header
	hr html iframe legend li link main menu menuitem nav noframes ol optgroup option p param search section summary
	table tbody td tfoot th thead title tr track ul`)

// wholeTag matches a line that is one opening or closing tag. It is compiled by
// the first process that needs it, as few do.
var wholeTag = sync.OnceValue(func() *regexp.Regexp {
	const (
		name      = `[A-Za-z][A-Za-z0-9-]*`
		value     = `(?:[^"'=<>` + "`" + `\x00-\x20]+|'[^']*'|"[^"]*")`
		attribute = `\s+[A-Za-z_:][A-Za-z0-9_.:-]*(?:\s*=\s*` + value + `)?`
	)
	return regexp.MustCompile(`\A<(?:` + name + `(?:` + attribute + `)*\s*/?|/` + name + `\s*)>\s*\z`)
})

// opensHTML opens the HTML block that text begins, if it does.
func (b *block) opensHTML(text []byte, insideParagraph bool) bool {
	if text[0] != '<' {
		return false
	}
	kind, ok := htmlKind(text)
	if !ok || kind == htmlAnyTag && insideParagraph {
		return false
	}
	if !kind.endsIn(text) {
		b.leaf, b.html = leafHTML, kind
	}
	return true
}

// htmlKind returns the kind that text, which begins with "<", begins.
func htmlKind(text []byte) (kind html, ok bool) {
	switch rest := text[1:]; {
	case bytes.HasPrefix(rest, []byte("!--")):
		return htmlComment, true
	case bytes.HasPrefix(rest, []byte("?")):
		return htmlInstruction, true
	case bytes.HasPrefix(rest, []byte("![CDATA[")):
		return htmlCDATA, true
	case len(rest) > 1 && rest[0] == '!' && isLetter(rest[1]):
		return htmlDeclaration, true
	}
	name, closes := bytes.CutPrefix(text[1:], []byte("/"))
	var behind []byte
	if end := bytes.IndexAny(name, " \t/>"); end >= 0 {
		name, behind = name[:end], name[end:]
	}
	tag := string(bytes.ToLower(name))
	slash := bytes.HasPrefix(behind, []byte("/"))
	switch {
	case !closes && !slash && slices.Contains(htmlEnds[htmlVerbatim], "</"+tag+">"):
		return htmlVerbatim, true
	case (!slash || bytes.HasPrefix(behind, []byte("/>"))) && slices.Contains(htmlTags, tag):
		return htmlTag, true
	}
	return htmlAnyTag, wholeTag().Match(text)
}

// endsIn reports whether a block of this kind ends with the line that holds text
// behind its indentation.
func (kind html) endsIn(text []byte) bool {
	if kind >= htmlTag {
		return len(text) == 0
	}
	text = bytes.ToLower(text)
	for _, end := range htmlEnds[kind] {
		if bytes.Contains(text, []byte(end)) {
			return true
		}
	}
	return false
}
