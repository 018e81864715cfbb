// Stagehook stores the answer that a pipeline stage ends with, and makes the
// prompt that resumes the work from it. It is a thin user of package runner.
//
// Start with main.go; each command is in the file of its name, and exit.go maps
// errors to exit codes and messages.
package main
