package archiver

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stagehook/stagehook/sdk"
)

// general is the area of a prefix that nothing names.
const general = "general"

// reserved are the prefixes whose area nobody can change.
var reserved = map[string]string{
	"INFRA":    "infrastructure",
	"WEB":      "web",
	"CONTENT":  "content",
	"RESEARCH": "research",
	"AGENT":    "agents",
	"BENCH":    "benchmarks",
	"DEV":      "development",
	"DEVOPS":   "devops",
	"TUNE":     "framework",
	"ROB":      "framework",
	"MAINT":    "maintenance",
	"FIN":      "finance",
	"QA":       "qa",
	"SEC":      "security",
	"QCK":      "quick",
}

// maxNameBytes is the length of the longest name that file systems take.
const maxNameBytes = 255

// isArea keeps an area a single plain folder name: ^[a-z][a-z0-9-]*$.
func isArea(text string) bool {
	const letters, rest = "abcdefghijklmnopqrstuvwxyz", "0123456789-"
	return text != "" && len(text) <= maxNameBytes &&
		strings.Contains(letters, text[:1]) && strings.Trim(text, letters+rest) == ""
}

// areaOf finds the area of a prefix: by the reserved ones, then the setting, then
// the project's registry. For a reserved prefix the others can only earn a
// warning.
func areaOf(prefix string, setting map[string]string, root string) (area string, warnings []string, err error) {
	if area, ok := reserved[prefix]; ok {
		return area, contradictions(prefix, area, setting, root), nil
	}
	if claim := inSetting(prefix, setting); len(claim.areas) > 0 {
		area, err := claim.area(prefix)
		return area, nil, err
	}
	claim, warnings, err := inRegistry(prefix, root)
	if err == nil {
		area, err = claim.area(prefix)
	}
	if err != nil {
		return "", nil, &sdk.Failure{
			Code:    sdk.FailureIO,
			Message: err.Error(),
			Hint:    "correct that file, or name the area in the archiver's setting areas, which goes before it",
		}
	}
	return area, warnings, nil
}

// contradictions warns of what gives a reserved prefix another area, once for the
// setting and once for the registry.
func contradictions(prefix, area string, setting map[string]string, root string) []string {
	claims := []claim{inSetting(prefix, setting)}
	if c, _, err := inRegistry(prefix, root); err == nil { // one that cannot be read claims nothing
		claims = append(claims, c)
	}
	var warnings []string
	for _, c := range claims {
		if i := slices.IndexFunc(c.areas, func(a string) bool { return a != area }); i >= 0 {
			warnings = append(warnings, fmt.Sprintf("%s names the area %.40q for the reserved prefix %s; it stays %s", c.source, c.areas[i], prefix, area))
		}
	}
	return warnings
}

// claim is what somebody says of a prefix. Messages show no more than the first
// 40 characters of an area, since it is a stranger's text.
type claim struct {
	source string   // who says so
	areas  []string // without repetition; none when the prefix is not mentioned
}

func inSetting(prefix string, setting map[string]string) claim {
	area, ok := setting[prefix]
	if !ok {
		return claim{}
	}
	return claim{source: "the setting areas", areas: []string{area}}
}

// area returns the one area that is claimed, or the general one.
func (c claim) area(prefix string) (string, error) {
	switch {
	case len(c.areas) == 0:
		return general, nil
	case len(c.areas) > 1:
		return "", fmt.Errorf("%s: two rows for the prefix %s disagree: %.40q and %.40q", c.source, prefix, c.areas[0], c.areas[1])
	case !isArea(c.areas[0]):
		return "", fmt.Errorf("%s: prefix %s: area %.40q must be a lower-case letter, then lower-case letters, digits or hyphens, at most %d", c.source, prefix, c.areas[0], maxNameBytes)
	}
	return c.areas[0], nil
}
