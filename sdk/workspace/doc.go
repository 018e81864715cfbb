// Package workspace is the one way to the files of a workspace: it finds the
// root, opens directories without following a symlink, reads regular files,
// replaces and moves files atomically, and holds the lock of a task.
//
// The runner, the built-in plugins and the authors of custom plugins import it.
// Every path is relative to the root, with forward slashes, and is reached
// through an [os.Root]: nothing outside the root is read or written, whatever
// links lie in the way. The package knows no file format.
//
// What it promises on a local file system, with processes killed at any
// instant: a reader of a replaced file sees the old or the new bytes, whole; a
// lock is held by at most one process; and a dead holder's lock can be taken
// over. What it does not promise: protection from a process of the same user
// that ignores the lock.
//
// Read [Workspace] first, then [Lock], whose file says why the takeover of a
// dead holder's lock is safe, then [Dir.Replace] and [Dir.Move].
package workspace
