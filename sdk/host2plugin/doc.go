// Package host2plugin carries calls from a host to a plugin process over
// go-plugin's gRPC protocol: [Client] is the host's end, [Plugin] registers the
// plugin's end.
//
// Hosts (the runner, a conformance check) import it; plugin authors use package
// sdk instead. Values are converted by the packages toproto and fromproto; the
// messages and their rules are in sdk/proto.
package host2plugin
