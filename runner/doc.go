// Package runner fires the hooks of a pipeline: on [StageExit] it stores a
// stage's answer, on [Resume] it validates what was stored, has the route
// confirmed and renders the replay prompt, and on [Archive] it moves the last
// snapshot away.
//
// Each event is a list of steps, each step a plugin in a process of its own; the
// configuration says which. The command line is a thin user of this package,
// and a worker that fires many events can be another: a [Runner] keeps its
// plugin processes warm until it is closed.
//
// Read [Runner.Fire] first, then the file named after a kind of step.
package runner
