package config

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

func TestPathsListsEveryPlaceInOrder(t *testing.T) {
	s := place(t, map[Layer]string{LayerUser: "", LayerFile: ""})
	got := Paths(s)
	want := []Path{
		{LayerSystem, s.SystemFile, false},
		{LayerUser, filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "stagehook", "config.yaml"), true},
		{LayerWorkspace, filepath.Join(s.Root, "datarim", "stagehook.yaml"), false},
		{LayerFile, s.File, true},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	// A relative XDG_CONFIG_HOME does not count.
	t.Setenv("XDG_CONFIG_HOME", "xdg")
	got = Paths(Sources{})
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	system, err := filepath.Abs(DefaultSystemFile)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].Path != system || got[1].Path != filepath.Join(home, ".config", "stagehook", "config.yaml") {
		t.Errorf("got %+v", got)
	}
}

func TestUserWithoutAHomeHasNoFile(t *testing.T) {
	s := place(t, map[Layer]string{LayerWorkspace: "plugins: {x: {command: [evil]}}"})
	for _, name := range []string{"HOME", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_STATE_HOME"} {
		t.Setenv(name, "")
	}
	if got := Paths(s); len(got) != 2 || got[1].Layer != LayerWorkspace {
		t.Errorf("paths %+v", got)
	}
	if err := load(t, s).Trusted("x"); err == nil {
		t.Error("trusted without a place for trust")
	}
	if _, err := Trust(filepath.Join(s.Root, "datarim", "stagehook.yaml")); err == nil {
		t.Error("trust was recorded nowhere")
	}
}

func TestOnlyTheGivenFileMustExist(t *testing.T) {
	s := place(t, nil)
	load(t, s)
	s.File = filepath.Join(s.Root, "none.yaml")
	if _, err := Load(s); err == nil || !strings.HasPrefix(err.Error(), s.File+": ") {
		t.Errorf("error %v", err)
	}
}

func TestFaultsOfSeveralFilesAreReportedTogether(t *testing.T) {
	s := place(t, map[Layer]string{LayerSystem: "a: 1", LayerFile: "stages: 1"})
	_, err := Load(s)
	if err == nil || !strings.Contains(err.Error(), s.SystemFile+":1: a: ") || !strings.Contains(err.Error(), s.File+":1: stages: ") {
		t.Errorf("error %v", err)
	}
}

func TestFileSizeIsBounded(t *testing.T) {
	for _, layer := range []Layer{LayerSystem, LayerUser, LayerWorkspace, LayerFile} {
		load(t, place(t, map[Layer]string{layer: strings.Repeat("#", MaxFileBytes)}))
		_, err := Load(place(t, map[Layer]string{layer: strings.Repeat("#", MaxFileBytes+1)}))
		if err == nil || !strings.HasSuffix(err.Error(), ".yaml: is larger than 65536 bytes") {
			t.Errorf("%s: error %v", layer, err)
		}
	}
}

func TestUnreadableFileIsAnError(t *testing.T) {
	s := place(t, nil)
	if err := os.MkdirAll(s.SystemFile, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(s); err == nil || !strings.HasPrefix(err.Error(), s.SystemFile+": ") {
		t.Errorf("error %v", err)
	}
}

// The user's own files may be links into a folder of dotfiles; the workspace's
// may not, since a workspace is somebody else's.
func TestWorkspaceFileIsReadWithCare(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs rights to make symlinks")
	}
	const text = "log_level: debug\n"
	elsewhere := filepath.Join(t.TempDir(), "datarim", "stagehook.yaml")
	write(t, elsewhere, text)
	link := func(t *testing.T, target, path string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name, want string
		make       func(t *testing.T, root string)
	}{
		{"link at the file", "is not a regular file", func(t *testing.T, root string) {
			link(t, elsewhere, filepath.Join(root, "datarim", "stagehook.yaml"))
		}},
		{"link inside the workspace", "is not a regular file", func(t *testing.T, root string) {
			write(t, filepath.Join(root, "datarim", "real.yaml"), text)
			link(t, "real.yaml", filepath.Join(root, "datarim", "stagehook.yaml"))
		}},
		{"folder at the file", "is not a regular file", func(t *testing.T, root string) {
			if err := os.MkdirAll(filepath.Join(root, "datarim", "stagehook.yaml"), 0o700); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := place(t, nil)
			test.make(t, s.Root)
			_, err := Load(s)
			want := filepath.Join(s.Root, "datarim", "stagehook.yaml") + ": " + test.want
			if err == nil || err.Error() != want {
				t.Errorf("error %v, want %s", err, want)
			}
		})
	}
	linked := place(t, nil)
	link(t, filepath.Dir(elsewhere), filepath.Join(linked.Root, "datarim"))
	if c := load(t, linked); c.LogLevel == "debug" {
		t.Error("a file behind a link at datarim was read")
	}
	s := place(t, nil)
	link(t, elsewhere, filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "stagehook", "config.yaml"))
	if c := load(t, s); c.LogLevel != "debug" {
		t.Errorf("the user's link was not followed: %s", c.LogLevel)
	}
}
