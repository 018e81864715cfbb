package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/stagehook/stagehook/sdk/hook"
)

func settingsRules() []rule {
	return []rule{
		{name: "settings", check: checkSettings, holds: "settings that are no object, or of another type, are refused as an argument"},
		{name: "unknown-setting", check: checkUnknownSetting, holds: "a setting that it does not know is refused as an argument"},
	}
}

// checkSettings sends what is no object and, when the plugin has described its
// settings, one of them with a value of another type.
func checkSettings(ctx context.Context, s *suite) error {
	bad := []json.RawMessage{json.RawMessage(`["no object"]`), json.RawMessage(`{`)}
	if name, value := s.mistyped(); name != "" {
		bad = append(bad, s.settingsWith(name, value))
	}
	for _, settings := range bad {
		if err := s.refuses(ctx, settings); err != nil {
			return err
		}
	}
	return nil
}

func checkUnknownSetting(ctx context.Context, s *suite) error {
	return s.refuses(ctx, s.settingsWith("no_such_setting", "1"))
}

// refuses starts a process with the settings.
func (s *suite) refuses(ctx context.Context, settings json.RawMessage) error {
	p, err := s.connect(ctx)
	if err != nil {
		return err
	}
	defer s.close(p)
	_, err = p.configure(ctx, settings)
	failure, ok := errors.AsType[*hook.Failure](err)
	switch {
	case err == nil:
		return fmt.Errorf("it took the settings %.120s", settings)
	case !ok:
		return fmt.Errorf("on the settings %.120s it failed without saying why in a Failure: %w", settings, p.explain(err))
	case failure.Code != hook.FailureArgument:
		return fmt.Errorf("it refused the settings %.120s as %q; want %q", settings, failure.Code, hook.FailureArgument)
	}
	return nil
}

// mistyped returns a setting and a value of another type, empty when the plugin
// has described none.
func (s *suite) mistyped() (name, value string) {
	if s.described == nil || s.described.Settings == nil {
		return "", ""
	}
	properties := s.described.Settings.Properties
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		switch properties[name].Type {
		case "string", "array", "object":
			return name, "7"
		case "boolean", "integer", "number":
			return name, `"seven"`
		}
	}
	return "", ""
}

// settingsWith returns the plugin's settings with one more, as JSON.
func (s *suite) settingsWith(name, value string) json.RawMessage {
	settings := map[string]json.RawMessage{}
	// What is no object the plugin has refused before.
	_ = json.Unmarshal(s.plugin.Settings, &settings)
	if settings == nil { // they were null
		settings = map[string]json.RawMessage{}
	}
	settings[name] = json.RawMessage(value)
	text, err := json.Marshal(settings)
	if err != nil {
		return nil
	}
	return text
}
