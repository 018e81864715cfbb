package snapshot_test

import (
	"fmt"
	"time"

	"github.com/stagehook/stagehook/sdk/identity"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

func Example() {
	file, stored, err := snapshot.Render(snapshot.Snapshot{
		TaskID: "SHOP-0001", Stage: "plan", Command: "/dr-plan",
		CapturedAt: time.Date(2026, 5, 21, 13, 45, 0, 0, time.UTC), CapturedBy: "agent",
		RecommendedNext: "/dr-do", Options: []string{"/dr-do SHOP-0001 | build it"},
		Body: []byte("The plan has three steps.\n"),
	}, snapshot.RenderOptions{})
	if err != nil {
		panic(err) // a value that does not stay on one line, or too many options
	}
	fmt.Println(stored.SizeBytes == len(file), stored.Truncated)

	grammar, err := identity.New(identity.Rules{}) // the default rules
	if err != nil {
		panic(err)
	}
	read, problem := snapshot.Parse(file, snapshot.Expect{TaskID: "SHOP-0001", Grammar: grammar})
	if problem == nil {
		fmt.Printf("%s: %s", read.Options[0], read.Body)
	}
	_, problem = snapshot.Parse(file, snapshot.Expect{TaskID: "SHOP-0002", Grammar: grammar})
	fmt.Println(problem.Code)
	// Output:
	// true false
	// /dr-do SHOP-0001 | build it: The plan has three steps.
	// task-mismatch
}
