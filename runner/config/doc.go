// Package config loads the layered configuration: which plugins there are, which
// steps an event has, and the values around them, each with the place that it
// comes from.
//
// Later layers win: the shipped defaults, a shipped profile, the system's file,
// the user's, the workspace's, the file of --config, the environment, flags.
// Every file is decoded strictly before anything of it counts. What a
// workspace's file says of a command counts only once the user has trusted that
// file, see [Config.Trusted].
//
// The runner and the command line import it. Read [Config] first, then [Load].
package config
