package workspace

// renameExclusive renames a file or directory, from one directory to another or
// in the same one, unless the new name is taken. That, and being atomic, is what
// neither rename(2) nor os.Root can do. It fails with [fs.ErrExist] when the
// name is taken and with [errors.ErrUnsupported] where the system or the file
// system has no such call.
//
// It is a variable so that a test can take the call away.
var renameExclusive = func(from *Dir, name string, to *Dir, newName string) error {
	source, err := from.root.Open(".")
	if err != nil {
		return from.fault("open", ".", err)
	}
	defer source.Close()
	target, err := to.root.Open(".")
	if err != nil {
		return to.fault("open", ".", err)
	}
	defer target.Close()
	return to.fault("rename", newName, renameNoReplace(source, name, target, newName))
}
