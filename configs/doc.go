// Package configs holds the configuration that stagehook is shipped with: the
// defaults of every key, the profiles and the JSON Schema of a configuration
// file. They are embedded, so the program needs no file beside it.
//
// Package runner/config imports it. Read stagehook.yaml first.
package configs
