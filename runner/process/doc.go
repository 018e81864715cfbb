// Package process starts plugin processes, keeps them apart from the host and
// from each other, and ends them.
//
// A plugin gets its own process group, a fixed set of environment variables, no
// file of the host but three pipes, and a socket in a private directory. Start,
// every call and the end have a deadline. Whatever a plugin does, the host gets
// an [*Error] of one line.
//
// The runner imports it; read [Pool] first.
package process
