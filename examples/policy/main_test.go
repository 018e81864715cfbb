package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk"
)

const fresh = `{"schema":"stagehook.route/1","task_id":"TUNE-0254","verdict":"fresh","checked_at":"2026-10-02T08:00:00Z"}`

var request = &sdk.RevalidateRequest{
	Task:     sdk.Task{ID: "TUNE-0254"},
	Snapshot: &sdk.Snapshot{RecommendedNext: "/dr-do TUNE-0254"},
}

// ask configures the plugin as a host does, and asks it.
func ask(ctx context.Context, t *testing.T, url, timeout string) (*sdk.RevalidateResult, error) {
	t.Helper()
	plugin := spec()
	if err := plugin.Configure(fmt.Appendf(nil, `{"url":%q,"timeout":%q}`, url, timeout)); err != nil {
		t.Fatal(err)
	}
	return plugin.Revalidator.Revalidate(ctx, request)
}

func serve(t *testing.T, handler http.HandlerFunc) string {
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL + "/route"
}

func print(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) }
}

func TestTheServersRouteIsPassedOn(t *testing.T) {
	var asked string
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r.Method + " " + r.URL.String()
		fmt.Fprint(w, strings.Replace(fresh, `"checked_at"`, `"route":{"command":"/dr-qa TUNE-0254"},"checked_at"`, 1))
	})
	result, err := ask(t.Context(), t, url+"?team=shop", "1m")
	if err != nil || !result.Fresh() || result.Route.Command != "/dr-qa TUNE-0254" {
		t.Errorf("got %+v, %v", result, err)
	}
	if want := "GET /route?command=%2Fdr-do+TUNE-0254&task=TUNE-0254&team=shop"; asked != want {
		t.Errorf("the server was asked %q; want %q", asked, want)
	}
}

func TestEveryFaultRefuses(t *testing.T) {
	elsewhere := serve(t, print(fresh))
	tests := map[string]struct {
		handler      http.HandlerFunc
		code, detail string
	}{
		"refused": {
			print(`{"schema":"stagehook.route/1","task_id":"TUNE-0254","verdict":"refused","refusals":[{"code":"freeze","path":"x","detail":"until Monday"}]}`),
			"policy-refused", "freeze: until Monday",
		},
		"no reason": {
			print(`{"schema":"stagehook.route/1","task_id":"TUNE-0254","verdict":"refused"}`),
			"policy-refused", "gives no reason",
		},
		"500 with a fresh body": {
			func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500); fmt.Fprint(w, fresh) },
			"policy-answer", "answered 500 Internal Server Error",
		},
		"redirect to one that says fresh": {
			func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere, http.StatusFound) },
			"policy-answer", "answered 302 Found",
		},
		"half of the JSON": {print(fresh[:40]), "policy-answer", "is no JSON"},
		"two objects":      {print(fresh + fresh), "policy-answer", "something follows the object"},
		"nothing":          {print(""), "policy-answer", "there is no object"},
		"another task":     {print(strings.Replace(fresh, "0254", "0255", 1)), "policy-answer", `the task "TUNE-0255"`},
		"fresh, then more than fits": {
			print(fresh + strings.Repeat(" ", maxAnswer)),
			"policy-answer", "more than 65536 bytes",
		},
		"a body that never ends": {
			func(w http.ResponseWriter, _ *http.Request) {
				for err := error(nil); err == nil; {
					_, err = w.Write(make([]byte, 4096))
				}
			},
			"policy-answer", "more than 65536 bytes",
		},
		"a header that never ends": {
			func(w http.ResponseWriter, _ *http.Request) {
				for i := range 1000 {
					w.Header().Set(fmt.Sprint("X-", i), strings.Repeat("x", 1000))
				}
				fmt.Fprint(w, fresh)
			},
			"policy-unreachable", "exceeded",
		},
		"a connection that breaks": {
			func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
			"policy-unreachable", "EOF",
		},
		"a body that breaks": {
			func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Length", fmt.Sprint(len(fresh)+1))
				fmt.Fprint(w, fresh)
			},
			"policy-unreachable", "unexpected EOF",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			result, err := ask(t.Context(), t, serve(t, test.handler), "1m")
			wantRefusal(t, result, err, test.code, test.detail)
		})
	}
}

func TestNobodyThereRefuses(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	result, err := ask(t.Context(), t, "http://"+listener.Addr().String(), "1m")
	wantRefusal(t, result, err, "policy-unreachable", "refused")
}

// A server that is too slow is given up in time to say so, by the limit of the
// settings and by that of the call, before it answers and in the middle of it.
func TestSlowServersRefuse(t *testing.T) {
	handlers := map[string]http.HandlerFunc{
		"no header": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"half a body": func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, fresh[:40])
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		},
	}
	for name, handler := range handlers {
		t.Run(name, func(t *testing.T) {
			url := serve(t, handler)
			result, err := ask(t.Context(), t, url, "50ms")
			wantRefusal(t, result, err, "policy-timeout", "did not answer within 50ms")

			// The call has some time left when the plugin gives up.
			ctx, cancel := context.WithTimeout(t.Context(), answerTime+50*time.Millisecond)
			defer cancel()
			result, err = ask(ctx, t, url, "1m")
			wantRefusal(t, result, err, "policy-timeout", "did not answer within ")
		})
	}
}

func TestTheEndOfTheCallIsNoRefusal(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done() })
	if result, err := ask(ctx, t, url, "1m"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %+v, %v", result, err)
	}
}

func TestSettings(t *testing.T) {
	tests := map[string]string{
		`{}`:                                     "",
		`{"url":"http://[::1]:80/x?y=1"}`:        "",
		`{"url":"http://localhost"}`:             "",
		`{"url":"https://policy.example/route"}`: "",
		`{"url":"http://policy.example/route"}`:  "settings: url: must begin with https://, or with http:// and be on this machine",
		`{"url":"http://127.0.0.1.example"}`:     "settings: url: must begin with https://, or with http:// and be on this machine",
		`{"url":"ftp://127.0.0.1"}`:              "settings: url: must begin with https://, or with http:// and be on this machine",
		`{"url":"http://ann:pw@127.0.0.1"}`:      "settings: url: must be such as http://127.0.0.1:8181/route",
		`{"url":"127.0.0.1:8181"}`:               "settings: url: must be such as http://127.0.0.1:8181/route",
		`{"timeout":"5"}`:                        `settings: timeout: "5" is no duration above zero, such as 5s`,
		`{"timeout":"0s"}`:                       `settings: timeout: "0s" is no duration above zero, such as 5s`,
		`{"server":{}}`:                          `settings: unknown key "server"; there are: url timeout`,
	}
	for settings, want := range tests {
		got := ""
		if err := spec().Configure([]byte(settings)); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q; want %q", settings, got, want)
		}
	}
}

func wantRefusal(t *testing.T, result *sdk.RevalidateResult, err error, code, detail string) {
	t.Helper()
	if err != nil || len(result.Refusals) != 1 || result.Fresh() {
		t.Fatalf("got %+v, %v", result, err)
	}
	if got := result.Refusals[0]; got.Code != code || !strings.Contains(got.Detail, detail) {
		t.Errorf("refused as %+v; want %s, %s", got, code, detail)
	}
}
