package program

// UnsafeError says that another user can replace a program.
type UnsafeError struct {
	// What is wrong and with which path, such as "every user may write to /opt/bin".
	What string
	// Hint is one line on what to do.
	Hint string
}

func (e *UnsafeError) Error() string { return e.What }

// Check returns an [*UnsafeError] when another user than root can replace the
// program at path: when the program may be written by every user or belongs to
// neither root nor the current user, and when a folder on the way to it may be
// written by every user and has no sticky bit. Links on the way are followed one
// by one, and one in a sticky folder has to belong to root or to the current
// user as well.
//
// Folders of other users and the rights of groups are no reason: a group is made to
// share, Debian's /usr/local/bin and a umask of 002 with a group for each user are
// common, and so are folders that a container has from another user. Whoever names a
// program there has named those users too.
//
// A path that cannot be looked at is no reason either: running it says so better.
// On Windows, where a mode says nothing of other users, Check returns nil.
func Check(path string) error { return check(path) }
