package configs

import (
	"embed"
	"strings"
)

//go:embed stagehook.yaml profiles/*.yaml stagehook.schema.json
var files embed.FS

// Defaults returns stagehook.yaml, which sets every key.
func Defaults() []byte { return read("stagehook.yaml") }

// Schema returns the JSON Schema (2020-12) of a configuration file.
func Schema() []byte { return read("stagehook.schema.json") }

// Profile returns the shipped profile of that name, nil when there is none.
func Profile(name string) []byte { return read("profiles/" + name + ".yaml") }

// Profiles lists the names of the shipped profiles in alphabetical order.
func Profiles() []string {
	// The folder is embedded, so it can be read.
	entries, _ := files.ReadDir("profiles")
	var names []string
	for _, entry := range entries {
		names = append(names, strings.TrimSuffix(entry.Name(), ".yaml"))
	}
	return names
}

// read returns a fresh copy of an embedded file, nil when there is none. An
// embed.FS takes no path that leads out of it.
func read(name string) []byte {
	data, err := files.ReadFile(name)
	if err != nil {
		return nil
	}
	return data
}
