package main

import "os"

func main() { os.Exit(Main()) }

// Main runs the command line of this process and returns its exit code.
func Main() int {
	args := os.Args[1:]
	if servesPlugin(args) {
		return servePlugin(args[1])
	}
	ownFiles()
	return run(args, os.Stdin, os.Stdout, os.Stderr)
}
