// Package sdk is what the author of a stagehook plugin imports.
//
// A plugin is one [Spec]: a name, a version, a settings struct, and an
// implementation of at least one kind. Its main function is one line:
//
//	func main() { os.Exit(sdk.Serve(&sdk.Spec{ … })) }
//
// The kinds are [Writer], [Validator], [Revalidator], [Renderer], [Archiver]
// and [Observer], one method each. The names here are aliases; package hook
// documents the types. Beside it, package snapshot is the file format, package
// workspace safe IO below a workspace's root, and package identity the grammar
// of names.
package sdk
