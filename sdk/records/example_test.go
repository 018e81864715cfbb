package records_test

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/stagehook/stagehook/sdk/identity"
	"github.com/stagehook/stagehook/sdk/records"
)

// store is a Source in memory: from paths to texts.
type store map[string]string

// Open opens a record.
func (s store) Open(path string) (io.ReadCloser, error) {
	text, ok := s[path]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return io.NopCloser(strings.NewReader(text)), nil
}

// Names lists the records in a folder.
func (s store) Names(folder string) ([]string, error) {
	var names []string
	for path := range s {
		if name, ok := strings.CutPrefix(path, folder+"/"); ok && !strings.Contains(name, "/") {
			names = append(names, name)
		}
	}
	if names == nil {
		return nil, &fs.PathError{Op: "open", Path: folder, Err: fs.ErrNotExist}
	}
	return names, nil
}

func ExampleVerify() {
	grammar, err := identity.New(identity.Rules{}) // the default rules
	if err != nil {
		panic(err)
	}
	source := store{records.ContractPath("SHOP-0001"): "kind: AcceptanceContract\n"}
	report, err := records.Verify(context.Background(), source, records.Query{
		TaskID: "SHOP-0001", Grammar: grammar, Now: time.Now(),
	})
	if err != nil {
		panic(err) // the context has ended
	}
	fmt.Println("fresh:", report.Result.Fresh())
	for _, refusal := range report.Result.Refusals {
		fmt.Println(refusal.Code, refusal.Path)
	}
	// Output:
	// fresh: false
	// record-malformed datarim/acceptance/SHOP-0001.acceptance.yaml
	// records-missing datarim/briefs/SHOP-0001.brief.yaml
	// records-missing datarim/decisions/SHOP-0001
	// records-missing datarim/evidence/SHOP-0001.evidence.yaml
}
