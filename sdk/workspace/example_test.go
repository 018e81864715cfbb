package workspace_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/stagehook/stagehook/sdk/workspace"
)

func Example() {
	root, err := os.MkdirTemp("", "shop")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(root)
	if err := note(root, "SHOP-0001", "waits for a review\n"); err != nil {
		fmt.Println(err)
	}
	// Output: waits for a review
}

// note keeps a text for a task and reads it back.
func note(root, task, text string) error {
	ws, err := workspace.Open(root)
	if err != nil {
		return err
	}
	defer ws.Close()
	lock, err := ws.Lock(context.Background(), task, 5*time.Second)
	if err != nil {
		return err
	}
	defer lock.Release()
	notes, err := ws.MakeDir("datarim/notes", 0o700)
	if err != nil {
		return err
	}
	defer notes.Close()
	if err := notes.Replace(task+".txt", []byte(text)); err != nil {
		return err
	}
	data, _, err := ws.Read("datarim/notes/"+task+".txt", 1<<10) // at most that many bytes
	if err != nil {
		return err
	}
	fmt.Print(string(data))
	return lock.Release()
}
