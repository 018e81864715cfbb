package archiver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stagehook/stagehook/sdk/snapshot"
)

// project is a workspace with a snapshot of SHOP-0001, inside a folder of its own.
func project(t *testing.T) (above, root string) {
	t.Helper()
	above = t.TempDir()
	root = filepath.Join(above, "project")
	plant(t, root, snapshot.Path("SHOP-0001"), "body")
	return above, root
}

// wantArea archives SHOP-0001.
func wantArea(t *testing.T, root, area string) {
	t.Helper()
	res, err := archive(t.Context(), t, root, "SHOP-0001", "", "archive")
	if err != nil || res.Path != "documentation/archive/"+area+"/snapshots/SHOP-0001-final-stage.md" {
		t.Errorf("got %+v, %v; want the area %s", res, err, area)
	}
}

func wantRefused(t *testing.T, root, text string) {
	t.Helper()
	_, err := archive(t.Context(), t, root, "SHOP-0001", "", "archive")
	wantFailure(t, err, filepath.Join(root, registryFile)+": "+text)
	wantTree(t, filepath.Join(root, "datarim"), "snapshots/SHOP-0001.snapshot.md: body")
}

func TestRegistryIsAFolder(t *testing.T) {
	above, root := project(t)
	must(t, os.Mkdir(filepath.Join(above, registryFile), 0o755))
	must(t, os.Mkdir(filepath.Join(root, registryFile), 0o755))
	wantRefused(t, root, "is no regular file")
	must(t, os.Remove(filepath.Join(root, registryFile)))
	wantArea(t, root, "general")
}

func TestRegistryIsNotCut(t *testing.T) {
	text := registry("| SHOP | s | whole |")
	text += strings.Repeat("x", maxRegistryBytes-len(text))
	t.Run("the largest", func(t *testing.T) {
		_, root := project(t)
		plant(t, root, registryFile, text)
		wantArea(t, root, "whole")
	})
	t.Run("larger", func(t *testing.T) {
		_, root := project(t)
		plant(t, root, registryFile, text+"x")
		wantRefused(t, root, "is larger than 4194304 bytes")
	})
	t.Run("larger, above the root", func(t *testing.T) {
		above, root := project(t)
		plant(t, above, registryFile, text+"x")
		_, err := archive(t.Context(), t, root, "SHOP-0001", "", "archive")
		wantFailure(t, err, filepath.Join(above, registryFile)+": is larger")
	})
	t.Run("larger, with a setting", func(t *testing.T) {
		_, root := project(t)
		plant(t, root, registryFile, text+"x")
		res, err := archive(t.Context(), t, root, "SHOP-0001", `{"areas": {"SHOP": "sales"}}`, "archive")
		if err != nil || !strings.Contains(res.Path, "/sales/") {
			t.Errorf("got %+v, %v", res, err)
		}
	})
	t.Run("larger, for a reserved prefix", func(t *testing.T) {
		_, root := project(t)
		plant(t, root, registryFile, text+"x")
		plant(t, root, snapshot.Path(task), "body")
		res, err := archive(t.Context(), t, root, task, "", "archive")
		if err != nil || !strings.Contains(res.Path, "/framework/") || len(res.Warnings) > 0 {
			t.Errorf("got %+v, %v", res, err)
		}
	})
}
