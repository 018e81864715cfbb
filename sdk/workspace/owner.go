package workspace

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
)

// Owner names the process that holds a lock, as the lock's owner file has it.
type Owner struct {
	Host string `json:"host"`
	// BootID changes with every start of the host's system; empty where it is
	// not known.
	BootID string `json:"boot_id"`
	// Namespaces tells containers on one kernel apart, whose process IDs and
	// clocks differ; empty where there are none.
	Namespaces string `json:"namespaces,omitempty"`
	PID        int    `json:"pid"`
	// StartTime of the process, in a form that only one boot can compare; empty
	// where it is not known.
	StartTime string `json:"start_time"`
	// Token is made anew for every lock.
	Token string `json:"token"`
}

// maxOwnerBytes bounds an owner file. One that is larger is none of ours.
const maxOwnerBytes = 4 << 10

// self is this process as an owner, without a token.
var self = sync.OnceValue(func() Owner {
	host, _ := os.Hostname() // an unknown host proves nothing, see dead
	pid := os.Getpid()
	start, _, _ := processStart(pid)
	return Owner{Host: host, BootID: bootID(), Namespaces: namespaces(), PID: pid, StartTime: start}
})

func newOwner() Owner {
	owner := self()
	owner.Token = rand.Text()
	return owner
}

// local reports whether the owner's process ID means the same to this process.
func (o *Owner) local() bool {
	here := self()
	return o.Host != "" && o.Host == here.Host &&
		o.BootID != "" && o.BootID == here.BootID &&
		o.Namespaces == here.Namespaces
}

// dead reports whether it is certain that the owner's process has ended. Once
// true it stays true: a process that started at another time is another one.
func (o *Owner) dead() bool {
	return o.local() && o.PID > 0 && o.StartTime != "" && processEnded(o.PID, o.StartTime)
}

func (o *Owner) write(file *os.File) error { return json.NewEncoder(file).Encode(o) }

// ownerFile names the owner file of a generation. The first owner of a lock is
// generation 0; each takeover adds the next.
func ownerFile(generation int) string { return fmt.Sprintf("owner.%d", generation) }

// lastOwner returns the owner that holds the lock directory, the one of the
// highest generation, or nil when it has no owner file that can be read.
func lastOwner(lock *Dir) (owner *Owner, generation int) {
	names, err := lock.Names()
	if err != nil {
		return nil, 0
	}
	generation = -1
	for _, name := range names {
		number, ok := strings.CutPrefix(name, "owner.")
		if n, err := strconv.Atoi(number); ok && err == nil {
			generation = max(generation, n)
		}
	}
	if generation < 0 {
		return nil, 0
	}
	data, _, err := lock.Read(ownerFile(generation), maxOwnerBytes)
	if err != nil || json.Unmarshal(data, &owner) != nil {
		return nil, 0
	}
	return owner, generation
}
