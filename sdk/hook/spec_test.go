package hook

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
)

type stub struct{}

func (stub) Observe(context.Context, *ObserveRequest) error { return nil }

func (stub) Render(context.Context, *RenderRequest) (*RenderResult, error) { return nil, nil }

type sampleSettings struct {
	Depth int               `json:"depth" jsonschema:"how deep to look"`
	Names map[string]string `json:"names"`
}

func (s *sampleSettings) Validate() error {
	if s.Depth > 9 {
		return errors.New("depth: at most 9")
	}
	return nil
}

func validSpec() *Spec {
	return &Spec{Name: "sample", Version: "1.0.0", Settings: &sampleSettings{Depth: 3}, Observer: stub{}, Renderer: stub{}}
}

func TestSpecValidate(t *testing.T) {
	if err := validSpec().Validate(); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*Spec){
		`name "Sample"`:            func(s *Spec) { s.Name = "Sample" },
		`name ""`:                  func(s *Spec) { s.Name = "" },
		`version "1"`:              func(s *Spec) { s.Version = "1" },
		"serves no kind":           func(s *Spec) { s.Observer, s.Renderer = nil, nil },
		"must be a pointer":        func(s *Spec) { s.Settings = sampleSettings{} },
		"a pointer to a struct":    func(s *Spec) { s.Settings = new(int) },
		"name \"sample\\n\": must": func(s *Spec) { s.Name = "sample\n" },
	} {
		spec := validSpec()
		change(spec)
		if err := spec.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v; want an error with %q", err, want)
		}
	}
}

func TestSpecForms(t *testing.T) {
	for _, version := range []string{"1.2.3", "0.0.0", "10.20.30-rc.1", "1.2.3+build-5", "1.2.3-a+b"} {
		if !isVersion(version) {
			t.Errorf("version %q was refused", version)
		}
	}
	for _, version := range []string{"", "1", "1.2", "1.2.3.4", "v1.2.3", "1.2.x", "1..3", "1.2.3-", "1.2.3+", "1.2.3 ", "1.2.3-a b", "1.2.3\n"} {
		if isVersion(version) {
			t.Errorf("version %q was accepted", version)
		}
	}
	for _, name := range []string{"", "1a", "-a", "A", "a b", "a\n", "a.b", strings.Repeat("a", 65)} {
		if isName(name) {
			t.Errorf("name %q was accepted", name)
		}
	}
}

func TestSpecReportsEverythingAtOnce(t *testing.T) {
	err := (&Spec{}).Validate()
	for _, want := range []string{"name", "version", "serves no kind"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in %v", want, err)
		}
	}
}

func TestConfigure(t *testing.T) {
	spec := validSpec()
	if err := spec.Configure([]byte(`{"names": {"Aa": "x", "aa": "y"}}`)); err != nil {
		t.Fatal(err)
	}
	settings := spec.Settings.(*sampleSettings)
	if settings.Depth != 3 || settings.Names["Aa"] != "x" || settings.Names["aa"] != "y" {
		t.Errorf("got %+v", settings)
	}
	if err := validSpec().Configure(nil); err != nil {
		t.Errorf("no settings: %v", err)
	}
	for _, bad := range []string{`{"dept": 1}`, `{"depth": "1"}`, `{"Depth": 1}`, `{"depth": 10}`, `{} {}`, `{`, `[1]`} {
		var failure *Failure
		if err := validSpec().Configure([]byte(bad)); !errors.As(err, &failure) || failure.Code != FailureArgument {
			t.Errorf("%s: got %v; want an argument failure", bad, err)
		}
	}
	none := &Spec{Name: "none", Version: "1.0.0", Observer: stub{}}
	if err := none.Configure([]byte(`{"depth": 1}`)); err == nil {
		t.Error("settings for a plugin without settings were accepted")
	}
}

func TestDescribe(t *testing.T) {
	description, err := validSpec().Describe()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(description.Kinds, []Kind{KindRenderer, KindObserver}) {
		t.Errorf("kinds %v", description.Kinds)
	}
	text, err := json.Marshal(description)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"name":"sample"`, `"protocols":[1]`, `"depth":{"type":"integer","description":"how deep to look"}`, `"names":{"type":"object","additionalProperties":{"type":"string"}}`, `"additionalProperties":false`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is missing in %s", want, text)
		}
	}
	if strings.Contains(string(text), "required") {
		t.Errorf("a setting with a default is required: %s", text)
	}
}

func TestDescribeRefusesSettingsThatAreNoJSON(t *testing.T) {
	spec := validSpec()
	spec.Settings = &struct{ C chan int }{}
	if description, err := spec.Describe(); err == nil {
		t.Errorf("got %+v", description)
	}
}
