package yamldoc

import (
	"errors"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// ruleOf parses and checks a document and returns the rule it breaks; "yaml"
// stands for a document that is no YAML.
func ruleOf(t *testing.T, text string) Rule {
	t.Helper()
	root, err := Parse([]byte(text))
	if err == nil && root != nil {
		err = Check(root, []byte(text))
	}
	if err == nil {
		return ""
	}
	var broken *Error
	if !errors.As(err, &broken) {
		t.Fatalf("%q: got an error of type %T", text, err)
	}
	if broken.Rule == "" {
		return "yaml"
	}
	return broken.Rule
}

func TestRules(t *testing.T) {
	for text, want := range map[string]Rule{
		"":                              "",
		"# nothing\n":                   "",
		"a: 1\nb: [x, {c: d}]\n":        "",
		"---\na: 1\n":                   "",
		"a: \"!x\"\nb: 'y!'\n":          "",
		"a: 1\n---\nb: 2\n":             RuleOneDocument,
		"a: 1\n...\nb: 2\n":             RuleOneDocument,
		"a: &x 1\n":                     RuleNoAlias,
		"a: &x 1\nb: *x\n":              RuleNoAlias,
		"a: !!str 1\n":                  RuleNoTag,
		"a: ! 1\n":                      RuleNoTag,
		"a: !foo bar\n":                 RuleNoTag,
		"a: !\n- b\n":                   RuleNoTag,
		"\uFEFFa: ! 1\n":                RuleNoTag,
		"a: я!\rb: ! 1\r":               RuleNoTag,
		"a: 1\r\nb: ! 1\r\n":            RuleNoTag,
		"a: 1\u0085b: ! 1\n":            RuleNoTag,
		"a: 1\u2028b: я\u2029c: ! 1\n":  RuleNoTag,
		"[я, \"🚀\", !x y]\n":            RuleNoTag,
		"{я: z, y: ! z}\n":              RuleNoTag,
		"[я, '!', x!, \"!\"]\n":         "",
		"<<: {a: 1}\n":                  RuleNoMergeKey,
		"[a]: 1\n":                      RuleScalarKey,
		"a: 1\na: 2\n":                  RuleDuplicateKey,
		"a: 1\n\"a\": 2\n":              RuleDuplicateKey,
		"x: {a: 1, a: 2}\n":             RuleDuplicateKey,
		"a: [\n":                        "yaml",
		"a: b: c\n":                     "yaml",
		"\ta: 1\n":                      "yaml",
		"a: *x\n":                       "yaml",
		"{{},<<}":                       RuleScalarKey,
		"a: \x00\n":                     "yaml",
		"a: \xff\n":                     "yaml",
		"\xff\xfea\x00:\x00 \x001\x00":  "yaml", // UTF-16
		strings.Repeat("[", 16) + "\n":  "yaml",
		deep(MaxDepth):                  "",
		deep(MaxDepth + 1):              RuleDepth,
		strings.Repeat("{a: ", 100_000): "yaml",
	} {
		if got := ruleOf(t, text); got != want {
			shown := text
			if len(shown) > 40 {
				shown = shown[:40] + "…"
			}
			t.Errorf("%q: got %q; want %q", shown, got, want)
		}
	}
}

// deep nests as many levels as it is told, the innermost being a scalar.
func deep(levels int) string {
	return strings.Repeat("[", levels-1) + "x" + strings.Repeat("]", levels-1)
}

// A line may hold thousands of nodes, and a stranger may have written it.
func TestCheckReadsALongLineOnce(t *testing.T) {
	data := []byte("[" + strings.Repeat("я,", 2000) + "'!']")
	root, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(5, func() { err = Check(root, data) }); n > 20 || err != nil {
		t.Errorf("%v allocations for 2000 nodes, %v", n, err)
	}
}

func TestErrorsSayTheLine(t *testing.T) {
	_, err := Parse([]byte("a: 1\nb: 2\n---\nc: 3\n"))
	if want := "line 3: a second document begins here"; err == nil || err.Error() != want {
		t.Errorf("got %v; want %s", err, want)
	}
}

// An alias bomb costs nothing, since aliases are not followed.
func TestAliasBomb(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 20; i++ {
		name := "a" + string(rune('a'+i))
		before := "a0"
		if i > 1 {
			before = "a" + string(rune('a'+i-1))
		}
		bomb.WriteString(name + ": &" + name + " [" + strings.Repeat("*"+before+", ", 9) + "x]\n")
	}
	if got := ruleOf(t, bomb.String()); got != RuleNoAlias {
		t.Errorf("got %q", got)
	}
}

func TestValue(t *testing.T) {
	root, err := Parse([]byte("a: {b: c}\nlist: [1]\n"))
	if err != nil {
		t.Fatal(err)
	}
	if node := Value(Value(root, "a"), "b"); node == nil || node.Value != "c" {
		t.Errorf("a.b: got %v", node)
	}
	for _, node := range []*yaml.Node{Value(root, "x"), Value(nil, "x"), Value(Value(root, "list"), "1")} {
		if node != nil {
			t.Errorf("got %v; want nothing", node)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"a: 1\n", "{{},<<}", "a: &x [*x]\n", "- - - x", "? {a: b}\n: c\n", "--- |\n x\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		root, err := Parse(data)
		var broken *Error
		if err != nil && !errors.As(err, &broken) {
			t.Fatalf("got an error of type %T", err)
		}
		if err == nil && root != nil {
			_ = Check(root, data)
		}
	})
}
