package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stagehook/stagehook/sdk"
)

// write stores an answer through the plugin, configured as a host does it, and
// returns the snapshot; an error is that of the plugin.
func write(t *testing.T, settings string, answer sdk.Answer) (string, *sdk.WriteResult, error) {
	t.Helper()
	plugin := spec()
	if err := plugin.Configure([]byte(settings)); err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	answer.Stage, answer.Command, answer.CapturedBy = "plan", "/dr-plan", "agent"
	answer.CapturedAt = time.Date(2026, 5, 21, 13, 45, 0, 0, time.UTC)
	result, err := plugin.Writer.Write(t.Context(), &sdk.WriteRequest{
		Task: sdk.Task{Root: root, ID: "TUNE-0254"}, Answer: answer, LockTimeout: time.Minute,
	})
	stored, _ := os.ReadFile(filepath.Join(root, "datarim", "snapshots", "TUNE-0254.snapshot.md"))
	return string(stored), result, err
}

func TestNothingSecretIsStored(t *testing.T) {
	body := "# Plan\r\n\nkey: " + accessKey + "\ttail "
	stored, result, err := write(t, `{"patterns":{"ticket":"TKT-([0-9]+)"}}`, sdk.Answer{
		RecommendedNext: "/dr-do TUNE-0254 --key " + accessKey,
		Options:         []string{"/dr-do TUNE-0254 | with Bearer 0123456789abcdef", "/dr-status | TKT-77"},
		Body:            []byte(body),
	})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(stored, "---\n\n# Plan\r\n\nkey: [redacted aws-access-key]\ttail ") {
		t.Errorf("the body is not the answer's without the key: %q", stored)
	}
	for _, line := range []string{
		"recommended_next: /dr-do TUNE-0254 --key [redacted aws-access-key]\n",
		"  - \"/dr-do TUNE-0254 | with Bearer [redacted bearer-token]\"\n",
		"  - \"/dr-status | TKT-[redacted ticket]\"\n",
	} {
		if !strings.Contains(stored, line) {
			t.Errorf("there is no line %q in %s", line, stored)
		}
	}
	if want := []string{"redacted before storing: aws-access-key (2), bearer-token (1), ticket (1)"}; !slices.Equal(result.Warnings, want) {
		t.Errorf("warnings: %q", result.Warnings)
	}
	if result.SizeBytes != len(stored) {
		t.Errorf("the size is %d, not %d", result.SizeBytes, len(stored))
	}
}

// Secrets go before the answer is cut, so that no half of one is left.
func TestRedactedBeforeTheCut(t *testing.T) {
	for length := range 80 {
		stored, result, err := write(t, `{"max_bytes":512}`, sdk.Answer{
			RecommendedNext: "/dr-do",
			Body:            []byte(strings.Repeat("x", 100+length) + accessKey + strings.Repeat("y", 400)),
		})
		if err != nil || !result.Truncated || len(stored) > 512 {
			t.Fatalf("%d bytes, %+v, %v", len(stored), result, err)
		}
		if strings.Contains(stored, accessKey[:5]) {
			t.Errorf("the snapshot holds the start of a key: %s", stored)
		}
	}
}

// A pattern that eats a command leaves nothing half stored.
func TestACommandThatIsNoneAnyMoreIsRefused(t *testing.T) {
	stored, _, err := write(t, `{"patterns":{"all":"/dr-.*"}}`, sdk.Answer{RecommendedNext: "/dr-do", Body: []byte("x")})
	if err == nil || stored != "" {
		t.Errorf("stored %q, %v", stored, err)
	}
}

// The settings of the built-in writer are there beside our own, with its checks.
func TestSettings(t *testing.T) {
	for settings, want := range map[string]string{
		`{}`: "",
		`{"max_bytes":512,"truncation":"keep-cta"}`: "",
		`{"max_bytes":9000}`:                        "settings: max_bytes: 9000 is not between 512 and 8192",
		`{"patterns":{"x":"("}}`:                    "settings: patterns.x: error parsing regexp: missing closing ): `(`",
		`{"pattern":{}}`:                            `settings: unknown key "pattern"; there are: max_bytes truncation patterns`,
	} {
		got := ""
		if err := spec().Configure([]byte(settings)); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q; want %q", settings, got, want)
		}
	}
	// A setting adds to the built-in patterns, and two plugins share nothing.
	plugin := spec()
	if err := plugin.Configure([]byte(`{"patterns":{"x":"y"}}`)); err != nil {
		t.Fatal(err)
	}
	if got := len(plugin.Settings.(*redact).patterns); got != len(defaults)+1 {
		t.Errorf("there are %d patterns", got)
	}
	description, err := plugin.Describe()
	if err != nil || len(description.Settings.Properties) != 3 {
		t.Errorf("described as %+v, %v", description, err)
	}
}
