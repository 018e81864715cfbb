// Policy is a revalidator that asks a policy server before work goes on:
//
//	GET http://127.0.0.1:8181/route?command=%2Fdr-do&task=TUNE-0254
//
// The server answers 200 with the JSON object that "stagehook route --json" prints,
// fresh or refused. Whatever else happens refuses the route:
//
//	policy-refused      the server says no; its own code begins the detail
//	policy-unreachable  there is no connection, or it broke
//	policy-timeout      the whole answer did not arrive in time
//	policy-answer       the answer is none: another status, a redirect, not that object
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/stagehook/stagehook/sdk"
	"github.com/stagehook/stagehook/sdk/hook"
)

const (
	maxAnswer = 64 << 10 // bytes, of the body and of the header
	// answerTime is kept of a call's time to tell the host that the server was too
	// slow: a plugin that says nothing in time counts as broken.
	answerTime = 500 * time.Millisecond
)

func main() { os.Exit(sdk.Serve(spec())) }

func spec() *sdk.Spec {
	p := &policy{URL: "http://127.0.0.1:8181/route", Timeout: "5s"}
	return &sdk.Spec{Name: "policy", Version: "1.0.0", Settings: p, Stateless: true, Revalidator: p}
}

// client follows no redirect and uses no proxy: the server that the settings name
// is the one that answers.
var client = &http.Client{
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	Transport:     &http.Transport{MaxResponseHeaderBytes: maxAnswer},
}

// policy holds the plugin's settings, which begin with their defaults.
type policy struct {
	URL     string `json:"url" jsonschema:"where the policy server answers; http only on this machine"`
	Timeout string `json:"timeout" jsonschema:"how long its whole answer may take, such as 5s"`

	server *url.URL
	limit  time.Duration
}

// Validate refuses a URL that somebody on the network could answer, and a time
// limit that is none.
func (p *policy) Validate() (err error) {
	if p.limit, err = time.ParseDuration(p.Timeout); err != nil || p.limit <= 0 {
		return fmt.Errorf("timeout: %q is no duration above zero, such as 5s", p.Timeout)
	}
	p.server, err = url.Parse(p.URL)
	if err != nil || p.server.Host == "" || p.server.User != nil {
		return errors.New("url: must be such as http://127.0.0.1:8181/route")
	}
	loopback := p.server.Hostname() == "localhost" || net.ParseIP(p.server.Hostname()).IsLoopback()
	if p.server.Scheme != "https" && (p.server.Scheme != "http" || !loopback) {
		return errors.New("url: must begin with https://, or with http:// and be on this machine")
	}
	return nil
}

// Revalidate passes on what the server says.
func (p *policy) Revalidate(ctx context.Context, req *sdk.RevalidateRequest) (*sdk.RevalidateResult, error) {
	limit := p.limit
	if deadline, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(deadline)-answerTime)
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	status, body, err := p.get(limited, req)
	switch {
	case ctx.Err() != nil: // nobody waits for the answer any more
		return nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return refuse("policy-timeout", "%s did not answer within %s", p.server.Host, limit.Round(time.Millisecond)), nil
	case err != nil:
		return refuse("policy-unreachable", "%s: %v", p.server.Host, err), nil
	case status != http.StatusOK:
		return refuse("policy-answer", "%s answered %d %s", p.server.Host, status, http.StatusText(status)), nil
	case len(body) > maxAnswer:
		return refuse("policy-answer", "%s answered more than %d bytes", p.server.Host, maxAnswer), nil
	}
	document, result, err := hook.ParseRouteDocument(body)
	switch {
	case err != nil:
		return refuse("policy-answer", "the answer of %s does not count: %v", p.server.Host, err), nil
	case document.TaskID != req.Task.ID:
		return refuse("policy-answer", "%s answered for the task %.80q", p.server.Host, document.TaskID), nil
	case !result.Fresh():
		return refused(result), nil
	}
	return result, nil
}

// get asks the server. It reads one byte more than an answer may have.
func (p *policy) get(ctx context.Context, req *sdk.RevalidateRequest) (status int, body []byte, err error) {
	query := p.server.Query()
	query.Set("task", req.Task.ID)
	if req.Snapshot != nil { // a route can be asked for without one
		query.Set("command", req.Snapshot.RecommendedNext)
	}
	asked := *p.server
	asked.RawQuery = query.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, asked.String(), nil)
	if err != nil {
		return 0, nil, err
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, nil, errors.Unwrap(err) // without the URL, whose query may be long
	}
	defer response.Body.Close()
	body, err = io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	return response.StatusCode, body, err
}

func refuse(code, format string, args ...any) *sdk.RevalidateResult {
	return &sdk.RevalidateResult{Refusals: []sdk.Refusal{{Code: code, Detail: fmt.Sprintf(format, args...)}}}
}

// refused passes the server's reasons on under the code of this plugin, so that no
// server can speak for another plugin.
func refused(said *sdk.RevalidateResult) *sdk.RevalidateResult {
	if len(said.Refusals) == 0 {
		return refuse("policy-refused", "the server gives no reason")
	}
	result := &sdk.RevalidateResult{}
	for _, r := range said.Refusals {
		detail := strings.Trim(r.Code+": "+r.Detail, ": ")
		result.Refusals = append(result.Refusals, sdk.Refusal{Code: "policy-refused", Path: r.Path, Detail: detail})
	}
	return result
}
