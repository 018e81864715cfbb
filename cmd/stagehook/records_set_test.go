package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The files of sampleRecords.
const (
	atContract = "datarim/acceptance/TUNE-0254.acceptance.yaml"
	atParent   = "datarim/acceptance/TUNE-0200.acceptance.yaml"
	atBrief    = "datarim/briefs/TUNE-0254.brief.yaml"
	atFirst    = "datarim/decisions/TUNE-0254/DR-1.r1.yaml"
	atHead     = "datarim/decisions/TUNE-0254/DR-1.r2.yaml"
	atGrant    = "datarim/authorizations/AUTH-7.yaml"
	atEvidence = "datarim/evidence/TUNE-0254.evidence.yaml"
)

// recordSet is the files of a workspace, by path. Until they are linked, "<PATH>"
// in one stands for the digest of another.
type recordSet map[string]string

// sampleRecords are the sound records of the samples.
func sampleRecords(t testing.TB) recordSet {
	t.Helper()
	set, digests := recordSet{}, []string{}
	files := os.DirFS(filepath.Join("testdata", "samples", "records-valid"))
	err := fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, path)
		set[path] = string(text)
		digests = append(digests, digestOfText(set[path]), "<"+path+">")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	unlink := strings.NewReplacer(digests...)
	for path, text := range set {
		set[path] = unlink.Replace(text)
	}
	return set
}

func digestOfText(text string) string { return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(text))) }

var recordLink = regexp.MustCompile("<[^>]+>")

// text is the content of a file, with the digests of others in it.
func (s recordSet) text(path string) string {
	return recordLink.ReplaceAllStringFunc(s[path], func(link string) string {
		return digestOfText(s.text(link[1 : len(link)-1]))
	})
}

// change changes a part of a file that is there once.
func (s recordSet) change(path, old, changed string) {
	if strings.Count(s[path], old) != 1 {
		panic(fmt.Sprintf("%s holds %q %d times", path, old, strings.Count(s[path], old)))
	}
	s[path] = strings.Replace(s[path], old, changed, 1)
}

// store writes the files, each at one instant.
func (s recordSet) store(root string) error {
	for path := range s {
		target := filepath.Join(root, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(target+".new", []byte(s.text(path)), 0o600); err != nil {
			return err
		}
		if err := os.Rename(target+".new", target); err != nil {
			return err
		}
	}
	return nil
}
