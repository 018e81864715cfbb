// Package sdktest is the test kit for plugin authors.
//
// A case makes one call of a plugin's [hook.Spec], as a host would: the settings are
// decoded, the request is checked, and request and answer go over gRPC, in memory.
// It needs no process and no built program:
//
//	sdktest.Revalidator(t, spec(), sdktest.RevalidatorCase{
//		Files: map[string]string{"datarim/freeze": ""},
//		Want:  &sdk.RevalidateResult{Refusals: []sdk.Refusal{{Code: "frozen", Path: "datarim/freeze", Detail: "work on this project is stopped"}}},
//	})
//
// There is one function for each kind. [Conform] checks the built program, in
// whatever language it is written.
//
// Tests of plugins import it. Read [Case] first.
package sdktest
