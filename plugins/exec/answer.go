package exec

import (
	"fmt"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/hook"
)

// readAnswer reads what the program printed as the answer to req.
func readAnswer(req *sdk.RevalidateRequest, printed []byte) (*sdk.RevalidateResult, error) {
	document, result, err := hook.ParseRouteDocument(printed)
	if err == nil && document.TaskID != req.Task.ID {
		err = fmt.Errorf("it is for the task %.80q", document.TaskID)
	}
	if err != nil {
		return nil, err
	}
	return result, nil
}
