package process

// mtlsAlways is true: plugins listen on a TCP port of the loopback, where nothing
// else keeps other users out.
const mtlsAlways = true
