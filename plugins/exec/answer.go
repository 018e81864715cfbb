package exec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/hook"
)

// readAnswer reads what the program printed as the answer to req.
func readAnswer(req *sdk.RevalidateRequest, printed []byte) (*sdk.RevalidateResult, error) {
	document, result, err := hook.ParseRouteDocument(printed)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(printed) {
		return nil, errors.New("it is not UTF-8")
	}
	if err := checkKeys(json.NewDecoder(bytes.NewReader(printed))); err != nil {
		return nil, err
	}
	if document.TaskID != req.Task.ID {
		return nil, fmt.Errorf("it is for the task %.80q", document.TaskID)
	}
	if result.Fresh() {
		return result, checkFresh(result)
	}
	return result, nil
}

// checkKeys checks the keys of one value that was decoded before. The decoder
// takes the last of two equal keys and a key in any case, and another reader may
// have seen a refusal there.
func checkKeys(decoder *json.Decoder) error {
	token, err := decoder.Token()
	opening, opens := token.(json.Delim)
	if err != nil || !opens {
		return err
	}
	seen := map[string]bool{}
	for decoder.More() {
		if opening == '{' {
			token, err := decoder.Token()
			if err != nil {
				return err
			}
			key := token.(string) // the decoder lets nothing else pass
			if strings.Trim(key, "abcdefghijklmnopqrstuvwxyz_") != "" {
				return fmt.Errorf("its key %.80q is not in lower case", key)
			}
			if seen[key] {
				return fmt.Errorf("its key %.80q stands there twice", key)
			}
			seen[key] = true
		}
		if err := checkKeys(decoder); err != nil {
			return err
		}
	}
	_, err = decoder.Token() // the end
	return err
}

// checkFresh refuses a fresh answer that the host could not take.
func checkFresh(result *sdk.RevalidateResult) error {
	if year := result.CheckedAt.Year(); year < 1 || year > 9999 {
		return fmt.Errorf("its checked_at lies in the year %d", year)
	}
	var revisions []int
	if d := result.Decision; d != nil {
		revisions = append(revisions, d.Revision)
	}
	for _, c := range []*hook.ContractRef{result.Contract, result.ParentContract} {
		if c != nil {
			revisions = append(revisions, c.Revision)
		}
	}
	for _, revision := range revisions {
		if revision < 0 {
			return fmt.Errorf("it names the revision %d", revision)
		}
	}
	return nil
}
