package config

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// TrustState says how a trusted file compares with what was trusted.
type TrustState string

// The states.
const (
	TrustCurrent TrustState = "current" // the trust is in force
	TrustChanged TrustState = "changed" // the file has another content, which this trust is not for
	TrustGone    TrustState = "gone"    // there is no such file, or it cannot be read
)

// TrustRecord is a content of a file that the user trusts.
type TrustRecord struct {
	Path   string     `json:"path"`
	SHA256 string     `json:"sha256"` // of the content, in hex
	State  TrustState `json:"state"`

	seal    seal
	written time.Time
}

// TrustRecords lists what the user trusts, by path, the oldest of a path first.
func TrustRecords() ([]TrustRecord, error) {
	records, err := trustRecords()
	for i, r := range records {
		switch data, err := readWorkspace(r.Path); {
		case err != nil:
			records[i].State = TrustGone
		case newSeal(r.Path, data) == r.seal:
			records[i].State = TrustCurrent
		default:
			records[i].State = TrustChanged
		}
	}
	return records, err
}

// trustRecords reads the records, without their states. What is none is passed
// over.
func trustRecords() ([]TrustRecord, error) {
	folder, err := trustFolder()
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	records := []TrustRecord{}
	for _, entry := range entries {
		data, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		info, infoErr := entry.Info()
		sha, path, ok := strings.Cut(strings.TrimSuffix(string(data), "\n"), "  ")
		s := seal{path: path, sha: sha}
		if err != nil || infoErr != nil || !ok || digest([]byte(s.record())) != entry.Name() {
			continue
		}
		records = append(records, TrustRecord{Path: path, SHA256: sha, seal: s, written: info.ModTime()})
	}
	slices.SortFunc(records, func(a, b TrustRecord) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), a.written.Compare(b.written))
	})
	return records, nil
}

// RevokeTrust takes back the trust in a file, which need not exist any more, in
// whatever content. It returns how many contents were trusted.
func RevokeTrust(file string) (int, error) {
	path, err := filepath.Abs(file)
	if err != nil {
		return 0, err
	}
	records, err := trustRecords()
	if err != nil {
		return 0, err
	}
	revoked := 0
	for _, r := range records {
		if r.Path != resolved(path) && r.Path != path {
			continue
		}
		if err := r.seal.remove(); err != nil {
			return revoked, err
		}
		revoked++
	}
	return revoked, nil
}
