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
// then the project's registry. For a reserved prefix the others can only earn a
// warning.
func areaOf(taskID string, setting map[string]string, root string) (area string, warnings []string, err error) {
	prefix, _, _ := strings.Cut(taskID, "-")
	if area, ok := reserved[prefix]; ok {
		return area, contradictions(prefix, area, setting, root), nil
	}
	if area := setting[prefix]; area != "" {
		return area, nil, nil
	}
	registered, err := registeredArea(prefix, root)
	switch {
	case err != nil:
		return "", nil, err
	case registered.area == "":
		return general, nil, nil
	case !areaForm().MatchString(registered.area):
		return "", nil, fmt.Errorf("%s: prefix %s: %w", registered.source, prefix, badArea(registered.area))
	default:
		return registered.area, nil, nil
	}
}

// contradictions warns of what gives a reserved prefix another area.
func contradictions(prefix, area string, setting map[string]string, root string) []string {
	claims := []registration{{setting[prefix], "the setting areas"}}
	if registered, err := registeredArea(prefix, root); err == nil { // a broken registry claims nothing
		claims = append(claims, registered)
	}
	var warnings []string
	for _, claim := range claims {
		if claim.area != "" && claim.area != area {
			warnings = append(warnings, fmt.Sprintf("%s names the area %s for the reserved prefix %s; it stays %s", claim.source, claim.area, prefix, area))
		}
	}
	return warnings
}
