package hook

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/stagehook/stagehook/sdk/identity"
)

// RouteSchema names the form of a [RouteDocument].
const RouteSchema = "stagehook.route/1"

// The verdicts of a [RouteDocument].
const (
	RouteFresh   = "fresh"
	RouteRefused = "refused"
)

// RouteDocument is a [RevalidateResult] as a JSON object for other programs: what
// "stagehook route --json" prints, and what a program that serves as a
// revalidator has to print.
type RouteDocument struct {
	Schema         string       `json:"schema"` // RouteSchema
	TaskID         string       `json:"task_id"`
	Verdict        string       `json:"verdict"`
	Route          *Route       `json:"route,omitempty"`
	Decision       *RecordRef   `json:"decision,omitempty"`
	Lineage        []string     `json:"lineage,omitempty"`
	Contract       *ContractRef `json:"contract,omitempty"`
	ParentContract *ContractRef `json:"parent_contract,omitempty"`
	CheckedAt      string       `json:"checked_at,omitempty"` // RFC 3339, UTC
	Refusals       []Refusal    `json:"refusals,omitempty"`
}

// Document returns the result as the document of a task.
func (r *RevalidateResult) Document(taskID string) *RouteDocument {
	d := &RouteDocument{Schema: RouteSchema, TaskID: taskID, Verdict: RouteRefused, Refusals: r.Refusals}
	if r.Fresh() {
		d.Verdict = RouteFresh
		d.Route, d.Decision, d.Lineage = r.Route, r.Decision, r.Lineage
		d.Contract, d.ParentContract = r.Contract, r.ParentContract
		d.CheckedAt = r.CheckedAt.UTC().Format(time.RFC3339)
	}
	return d
}

// ParseRouteDocument reads one document in UTF-8 and nothing else: unknown keys,
// keys that stand twice, and text behind it are errors, and so is a document that
// says fresh and refuses, gives no time, or names a route that [Route.Check]
// refuses.
func ParseRouteDocument(data []byte) (*RouteDocument, *RevalidateResult, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	d := new(RouteDocument)
	if err := decoder.Decode(d); errors.Is(err, io.EOF) {
		return nil, nil, errors.New("there is no object")
	} else if err != nil {
		return nil, nil, fmt.Errorf("it is no object of the schema %s: %s", RouteSchema, unreadable(data, err))
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, nil, errors.New("something follows the object")
	}
	if !utf8.Valid(data) {
		return nil, nil, errors.New("it is not UTF-8")
	}
	if err := checkKeys(json.NewDecoder(bytes.NewReader(data))); err != nil {
		return nil, nil, err
	}
	result, err := d.result()
	return d, result, err
}

// unreadable words the decoder's error for people who do not know Go.
func unreadable(data []byte, err error) string {
	var (
		syntax *json.SyntaxError
		kind   *json.UnmarshalTypeError
	)
	switch {
	case errors.As(err, &kind):
		return fmt.Sprintf("%s must not be of the type %s", cmp.Or(kind.Field, "the whole"), kind.Value)
	case errors.As(err, &syntax), errors.Is(err, io.ErrUnexpectedEOF):
		begin, _, _ := strings.Cut(strings.TrimSpace(string(data[:min(len(data), 80)])), "\n")
		return fmt.Sprintf("it begins with %q, and is no JSON: %v", identity.Shorten(strings.ToValidUTF8(begin, "\uFFFD"), 40), err)
	}
	return err.Error()
}

func (d *RouteDocument) result() (*RevalidateResult, error) {
	switch {
	case d.Schema != RouteSchema:
		return nil, fmt.Errorf("its schema is %.80q, not %s", d.Schema, RouteSchema)
	case d.Verdict == RouteRefused:
		return &RevalidateResult{Refusals: d.Refusals}, nil
	case d.Verdict != RouteFresh:
		return nil, fmt.Errorf("its verdict is %.80q, not %s or %s", d.Verdict, RouteFresh, RouteRefused)
	case len(d.Refusals) > 0:
		return nil, errors.New("it says fresh and refuses")
	}
	if d.Route != nil {
		if err := d.Route.Check(); err != nil {
			return nil, fmt.Errorf("its %w", err)
		}
	}
	at, err := identity.Time("checked_at", d.CheckedAt)
	if err != nil || at.Year() < 1 || at.IsZero() {
		return nil, fmt.Errorf("its checked_at is %.80q, no RFC 3339 time", d.CheckedAt)
	}
	for _, revision := range d.revisions() {
		if revision < 0 {
			return nil, fmt.Errorf("it names the revision %d", revision)
		}
	}
	return &RevalidateResult{
		Route:          d.Route,
		Decision:       d.Decision,
		Lineage:        d.Lineage,
		Contract:       d.Contract,
		ParentContract: d.ParentContract,
		CheckedAt:      at.UTC(),
	}, nil
}

// revisions are those of all records that the document names.
func (d *RouteDocument) revisions() (all []int) {
	if d.Decision != nil {
		all = append(all, d.Decision.Revision)
	}
	for _, c := range []*ContractRef{d.Contract, d.ParentContract} {
		if c != nil {
			all = append(all, c.Revision)
		}
	}
	return all
}
