package sdk

// Version is the release of stagehook that this SDK, the runner and the built-in
// plugins belong to.
const Version = "0.1.0"
