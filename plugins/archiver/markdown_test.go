package archiver

import (
	"fmt"
	"strings"
	"testing"
)

func TestRegistryInMarkdown(t *testing.T) {
	const row = "| SHOP | s | x |\n"
	under := func(heading string) string { return "text\n\n" + heading + "\n\n" + row }
	in := func(text string) string { return "## Task Prefix Registry\n" + text }
	tests := map[string]struct {
		registry string
		want     string // general when empty
	}{
		"level 1":               {under("# Task Prefix Registry"), ""},
		"level 2":               {under("## Task Prefix Registry"), "x"},
		"level 6":               {under("###### Task Prefix Registry"), "x"},
		"level 7":               {under("####### Task Prefix Registry"), ""},
		"three spaces before":   {under("   ## Task Prefix Registry"), "x"},
		"four spaces before":    {under("    ## Task Prefix Registry"), ""},
		"tab between":           {under("##\tTask Prefix Registry"), "x"},
		"nothing between":       {under("##Task Prefix Registry"), ""},
		"spaces around":         {under("##   Task  Prefix Registry  "), "x"},
		"closed":                {under("## Task Prefix Registry ##"), "x"},
		"closed by others":      {under("## Task Prefix Registry #### "), "x"},
		"closed behind a tab":   {under("## Task Prefix Registry\t##"), "x"},
		"a letter at the signs": {under("##a Task Prefix Registry"), ""},
		"another case":          {under("## Task prefix registry"), ""},
		"more words":            {under("## The Task Prefix Registry"), ""},
		"no heading":            {under("Task Prefix Registry"), ""},
		"byte order mark":       {"\uFEFF## Task Prefix Registry\n" + row, "x"},
		"CRLF":                  {strings.ReplaceAll(registry("| SHOP | s | x |"), "\n", "\r\n"), "x"},
		"no newline at the end": {in("| SHOP | s | x |"), "x"},

		"below another":      {in("## Other\n" + row), ""},
		"below one above it": {in("# Other\n" + row), ""},
		"below one inside":   {in("### Shops\n" + row), "x"},
		"below two inside":   {in("### Shops\n#### Old\n### New\n" + row), "x"},
		"below a tag":        {in("#shops\n" + row), "x"},
		"below it again":     {in("## Other\n## Task Prefix Registry\n" + row), "x"},
		"above it":           {row + in(""), ""},

		"no delimiter row":     {in(row), "x"},
		"three spaces":         {in("   " + row), "x"},
		"code by indentation":  {in("\n    " + row + "\t" + row), ""},
		"fence":                {in("```\n" + row + "```\n"), ""},
		"fence of tildes":      {in("~~~ md\n" + row + "~~~\n"), ""},
		"after a fence":        {in("```sh\n# x\n```\n" + row), "x"},
		"after a long fence":   {in("````\n```\n````\n" + row), "x"},
		"in a long fence":      {in("````\n```\n" + row + "````\n"), ""},
		"in another fence":     {in("```\n~~~\n" + row + "```\n"), ""},
		"two backticks":        {in("``\n" + row), "x"},
		"tildes behind tildes": {in("~~~ a~b\n" + row + "~~~\n"), ""},
		"heading in a fence":   {"```\n" + in("```\n"+row), ""},
		"fence without an end": {in("```\n" + row), ""},

		"first cell only":          {in("| PAY | SHOP | x |\n"), ""},
		"another case of it":       {in("| Shop | s | x |\n"), ""},
		"a part of it":             {in("| SHO | s | x |\n| SHOPS | s | x |\n"), ""},
		"one column":               {in("| SHOP |\n"), ""},
		"two columns":              {in("| SHOP | x |\n"), ""},
		"four columns":             {in("| SHOP | s | x | y |\n"), "x"},
		"no pipe at the end":       {in("| SHOP | s | x\n"), "x"},
		"no pipe at the start":     {in("SHOP | s | x |\n"), ""},
		"no spaces":                {in("|SHOP|s|x|\n"), "x"},
		"many spaces":              {in("|\t SHOP  |  |\t x \t|  \n"), "x"},
		"escaped pipe":             {in(`| SHOP | a \| b | x |` + "\n"), "x"},
		"escaped pipe at start":    {in(`| SHOP |\| b | x |` + "\n"), "x"},
		"backslash":                {in(`| SHOP | a \ b \\ | x |` + "\n"), "x"},
		"code":                     {in("| `SHOP` | s | `x` |\n"), "x"},
		"strong":                   {in("| **SHOP** | s | __x__ |\n"), "x"},
		"emphasis":                 {in("| _SHOP_ | s | *x* |\n"), "x"},
		"strong code":              {in("| **`SHOP`** | s | ***x*** |\n"), "x"},
		"half a mark":              {in("| `SHOPS | s | x |\n"), ""},
		"an underscore of its own": {in("| SHOP_ | s | x |\n"), ""},
	}
	for name, test := range tests {
		if test.want == "" {
			test.want = "general"
		}
		t.Run(name, areaTest{registry: test.registry, want: test.want}.run)
	}
}

// A file of the largest size is read in bounded time, whatever is in it.
func TestHostileRegistryIsReadInLinearTime(t *testing.T) {
	fill := func(unit string) string {
		return "## Task Prefix Registry\n" + strings.Repeat(unit, maxRegistryBytes/len(unit)-16)
	}
	var areas strings.Builder
	for n := range 200_000 {
		fmt.Fprintf(&areas, "|SHOP||a%d|\n", n)
	}
	for name, text := range map[string]string{
		"text":        fill("a\n"),
		"empty lines": fill("\n"),
		"rows":        fill("| SHOP | a | x |\n"),
		"areas":       "## Task Prefix Registry\n" + areas.String(),
		"cells":       fill("|"),
		"escapes":     fill(`\|`),
		"one row":     "## Task Prefix Registry\n|" + strings.Repeat(`\|`, maxRegistryBytes/2-32),
		"markup":      "## Task Prefix Registry\n|" + strings.Repeat("*", maxRegistryBytes-32) + "|a|x|",
		"fences":      fill("```\n"),
		"open fences": fill("```a\n~~~\n"),
		"headings":    fill("## x ##\n"),
		"signs":       fill("#"),
	} {
		t.Run(name, func(t *testing.T) {
			if areas := registeredAreas(text, "SHOP"); len(areas) > 2 {
				t.Errorf("got %d areas", len(areas))
			}
		})
	}
}
