package config

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
)

// seal identifies a file by its path and content.
type seal struct {
	path string // absolute, without symlinks
	sha  string // SHA-256 of the content, in hex
}

// newSeal seals a file that was read; there is no seal for a missing one.
func newSeal(path string, data []byte) seal {
	if data == nil {
		return seal{}
	}
	return seal{path: resolved(path), sha: digest(data)}
}

// resolved is the path without symlinks, as far as it exists: one workspace must be
// the same one by whatever path it is reached, also when its file is gone.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	folder, name := filepath.Dir(path), filepath.Base(path)
	if folder == path {
		return path
	}
	return filepath.Join(resolved(folder), name)
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// record is the content of the file that stands for the user's trust, a line as
// sha256sum writes it.
func (s seal) record() string { return s.sha + "  " + s.path + "\n" }

// trustFolder is where the records are.
func trustFolder() (string, error) {
	folder, err := userFolder("XDG_STATE_HOME", filepath.Join(".local", "state"))
	return filepath.Join(folder, "trust"), err
}

// file is where the record is kept, named after itself so that two workspaces
// with the same content do not share it.
func (s seal) file() (string, error) {
	folder, err := trustFolder()
	return filepath.Join(folder, digest([]byte(s.record()))), err
}

// contentSuffix names the copy of the trusted content beside its record. It only
// serves to show what has changed since: the record alone is the trust.
const contentSuffix = ".yaml"

// trusted reports whether the record exists. What cannot be read is not trusted.
func (s seal) trusted() bool {
	if s == (seal{}) {
		return false
	}
	file, err := s.file()
	if err != nil {
		return false
	}
	data, err := os.ReadFile(file)
	return err == nil && string(data) == s.record()
}

// content returns what was trusted, nil when it was not kept or is another now.
func (s seal) content() []byte {
	file, err := s.file()
	if err != nil {
		return nil
	}
	data, err := os.ReadFile(file + contentSuffix)
	if err != nil || digest(data) != s.sha {
		return nil
	}
	return data
}

// store writes the content and then the record, each whole or not at all.
func (s seal) store(content []byte) error {
	name, err := s.file()
	if err != nil {
		return err
	}
	folder := filepath.Dir(name)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	// It may exist with other rights.
	if err := os.Chmod(folder, 0o700); err != nil {
		return err
	}
	if err := storeFile(name+contentSuffix, string(content)); err != nil {
		return err
	}
	return storeFile(name, s.record())
}

func storeFile(name, text string) error {
	file, err := os.CreateTemp(filepath.Dir(name), ".new-*") // 0600
	if err != nil {
		return err
	}
	// Once it is renamed there is nothing to remove.
	defer func() { _ = os.Remove(file.Name()) }()
	_, err = strings.NewReader(text).WriteTo(file)
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return os.Rename(file.Name(), name)
}

// remove takes the trust back: the record first.
func (s seal) remove() error {
	name, err := s.file()
	if err != nil {
		return err
	}
	if err := os.Remove(name); err != nil {
		return err
	}
	_ = os.Remove(name + contentSuffix) // an older version kept none
	return nil
}
