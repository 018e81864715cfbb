package archiver

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// registryFile is the file that may hold a project's Task Prefix Registry.
const registryFile = "CLAUDE.md"

// maxRegistryBytes bounds a registry file.
const maxRegistryBytes = 4 << 20

// The lines that structure a Markdown file. They are compiled when an archiver
// first reads one, since every process of this program would do it otherwise.
var (
	heading         = lazily(`^ {0,3}#{1,6}[ \t]`)
	registryHeading = lazily(`^ {0,3}#{2,6}[ \t]+Task Prefix Registry[ \t]*#*[ \t]*$`)
	fence           = lazily("^ {0,3}(```|~~~)")
)

func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// registration is what a registry says of a prefix.
type registration struct {
	area   string // empty when there is none
	source string // where it says so
}

// registeredArea looks a prefix up in the nearest registry, from the root
// upwards. A file without the heading is passed over.
func registeredArea(prefix, root string) (registration, error) {
	for dir := root; ; dir = filepath.Dir(dir) {
		file := filepath.Join(dir, registryFile)
		text, err := readRegistry(dir, dir == root)
		if err != nil {
			return registration{}, fmt.Errorf("%s: %w", file, err)
		}
		if rows, ok := registryRows(text); ok {
			area, err := lookUp(rows, prefix)
			if err != nil {
				return registration{}, fmt.Errorf("%s: %w", file, err)
			}
			return registration{area: area, source: file}, nil
		}
		if dir == filepath.Dir(dir) {
			return registration{}, nil
		}
	}
}

// readRegistry reads the file in dir, empty when there is none. In the root a
// symlink is followed, but not out of it; what lies above the root is beyond the
// workspace, and what the user may not read there is passed over.
func readRegistry(dir string, isRoot bool) (string, error) {
	files := os.DirFS(dir)
	if isRoot {
		root, err := os.OpenRoot(dir)
		if err != nil {
			return "", err
		}
		defer root.Close()
		files = root.FS()
	}
	info, err := fs.Stat(files, registryFile)
	switch {
	case errors.Is(err, fs.ErrNotExist), !isRoot && errors.Is(err, fs.ErrPermission):
		return "", nil
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", errors.New("is no regular file")
	}
	file, err := files.Open(registryFile)
	if err != nil {
		return "", err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxRegistryBytes))
	return string(data), err
}

// registryRows returns the cells of the table rows below the registry's heading,
// and whether there is such a heading.
func registryRows(text string) (rows [][]string, found bool) {
	var inFence, inSection bool
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case fence().MatchString(line):
			inFence = !inFence
		case inFence:
		case heading().MatchString(line):
			inSection = registryHeading().MatchString(line)
			found = found || inSection
		case inSection && strings.HasPrefix(strings.TrimSpace(line), "|"):
			rows = append(rows, cells(line))
		}
	}
	return rows, found
}

// cells splits a table row, without the emphasis that people put into cells.
func cells(line string) []string {
	line = strings.TrimSpace(line)
	line = strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|")
	fields := strings.Split(line, "|")
	for i, field := range fields {
		fields[i] = strings.Trim(strings.TrimSpace(field), "`*")
	}
	return fields
}

// lookUp returns the third cell of the row whose first is the prefix.
func lookUp(rows [][]string, prefix string) (string, error) {
	area := ""
	for _, row := range rows {
		if len(row) < 3 || row[0] != prefix || row[2] == "" {
			continue
		}
		if area != "" && area != row[2] {
			return "", fmt.Errorf("two rows for the prefix %s disagree: %s and %s", prefix, area, row[2])
		}
		area = row[2]
	}
	return area, nil
}
