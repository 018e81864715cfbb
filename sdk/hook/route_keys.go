package hook

import (
	"encoding/json"
	"fmt"
	"strings"
)

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
