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

// What no owner file of ours exceeds. One that does proves nothing.
const (
	maxOwnerBytes = 4 << 10
	// maxPID is the most that Linux can be told to use; other systems stay below.
	maxPID = 1 << 22
	// maxGeneration fits an int everywhere. No takeover can follow it.
	maxGeneration = 1<<31 - 1
)

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

// possible reports whether a process can have this ID. One out of range would mean
// another process, or many, to the calls that take an ID.
func (o *Owner) possible() bool { return o.PID > 0 && o.PID <= maxPID }

// provable reports whether this process can tell if the owner's has ended.
func (o *Owner) provable() bool { return o.possible() && o.local() && o.StartTime != "" }

// dead reports whether it is certain that the owner's process has ended. Once
// true it stays true: a process that started at another time is another one.
func (o *Owner) dead() bool { return o.provable() && processEnded(o.PID, o.StartTime) }

// alive reports whether the owner's process runs on this host.
func (o *Owner) alive() bool { return o.provable() && !processEnded(o.PID, o.StartTime) }

func (o *Owner) write(file *os.File) error { return json.NewEncoder(file).Encode(o) }

// ownerFile names the owner file of a generation. The first owner of a lock is
// generation 0; each takeover adds the next.
func ownerFile(generation int) string { return fmt.Sprintf("owner.%d", generation) }

// generationOf is the reverse of ownerFile. A name that ownerFile does not make
// is no owner file.
func generationOf(name string) (generation int, ok bool) {
	number, _ := strings.CutPrefix(name, "owner.")
	generation, err := strconv.Atoi(number)
	ok = err == nil && generation >= 0 && generation <= maxGeneration && name == ownerFile(generation)
	return generation, ok
}

// lastOwner returns the owner that holds the lock directory, the one of the
// highest generation. The owner is nil when its file cannot be read or cannot be
// ours, and the generation is -1 when there is no owner file.
func lastOwner(lock *Dir) (owner *Owner, generation int) {
	generation = -1
	names, err := lock.Names()
	if err != nil {
		return nil, generation
	}
	for _, name := range names {
		if n, ok := generationOf(name); ok {
			generation = max(generation, n)
		}
	}
	if generation < 0 {
		return nil, generation
	}
	data, _, err := lock.Read(ownerFile(generation), maxOwnerBytes)
	if err != nil || json.Unmarshal(data, &owner) != nil || owner == nil || !owner.possible() {
		return nil, generation
	}
	return owner, generation
}
