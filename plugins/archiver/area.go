package archiver

import (
	"fmt"
	"strings"
)

// areaForm keeps an area a single plain folder name.
var areaForm = lazily(`^[a-z][a-z0-9-]*$`)

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

func badArea(area string) error {
	return fmt.Errorf("area %q must be lower-case letters, digits and hyphens", area)
}

// areaOf finds the area of a task: by the reserved prefixes, then the setting,
// then the project's registry. It warns when a later one contradicts a reserved
// prefix.
func areaOf(taskID string, setting map[string]string, root string) (area string, warnings []string, err error) {
	prefix, _, _ := strings.Cut(taskID, "-")
	registered, err := registeredArea(prefix, root)
	if err != nil {
		return "", nil, err
	}
	set := setting[prefix]
	if area, ok := reserved[prefix]; ok {
		for _, claim := range []registration{{set, "the setting areas"}, registered} {
			if claim.area != "" && claim.area != area {
				warnings = append(warnings, fmt.Sprintf("%s names the area %s for the reserved prefix %s; it stays %s", claim.source, claim.area, prefix, area))
			}
		}
		return area, warnings, nil
	}
	switch {
	case set != "":
		return set, nil, nil
	case registered.area == "":
		return general, nil, nil
	case !areaForm().MatchString(registered.area):
		return "", nil, fmt.Errorf("%s: prefix %s: %w", registered.source, prefix, badArea(registered.area))
	default:
		return registered.area, nil, nil
	}
}
