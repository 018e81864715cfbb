package main

import (
	"os"

	"golang.org/x/sys/windows"
)

// isTerminal asks for the mode of the console, which nothing else has.
func isTerminal(file *os.File) bool {
	var mode uint32
	return windows.GetConsoleMode(windows.Handle(file.Fd()), &mode) == nil
}
