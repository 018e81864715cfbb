package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
)

// servePolicy is a policy server for examples/policy that answers in the way that
// the path says.
func servePolicy() *httptest.Server {
	mux := http.NewServeMux()
	for path, answer := range map[string]string{
		"allowed": `"verdict":"fresh","route":{"command":"/dr-qa TUNE-0254"},"checked_at":"2026-10-02T08:00:00Z"}`,
		"refused": `"verdict":"refused","refusals":[{"code":"change-freeze","detail":"no releases before Monday"}]}`,
		"garbage": `"verdict":"fr`,
	} {
		mux.HandleFunc("GET /"+path, func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, `{"schema":"stagehook.route/1","task_id":%q,%s`, r.URL.Query().Get("task"), answer)
		})
	}
	mux.HandleFunc("GET /slow", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.Handle("GET /elsewhere", http.RedirectHandler("/allowed", http.StatusFound))
	return httptest.NewServer(mux)
}
