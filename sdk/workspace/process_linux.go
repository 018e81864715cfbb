package workspace

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
)

func bootID() string {
	// A /proc of another process namespace describes other processes than the calls
	// that take a process ID mean.
	if pid, err := os.Readlink("/proc/self"); err != nil || pid != strconv.Itoa(os.Getpid()) {
		return ""
	}
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(id))
}

// namespaces names the kernel's process and time namespaces of this process: the
// first decides what a process ID means, the second shifts start times.
func namespaces() string {
	process, _ := os.Readlink("/proc/self/ns/pid")
	clock, _ := os.Readlink("/proc/self/ns/time")
	return strings.TrimSpace(process + " " + clock)
}

// processStart returns when a process started, in ticks since the boot, and
// whether it has ended but was not yet waited for.
func processStart(pid int) (start string, zombie bool, err error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", false, err
	}
	// The second field is the command in parentheses and may hold anything.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	// The numbers 3, 20 and 22 of proc_pid_stat(5), which counts from 1; the first
	// two are gone.
	const state, threads, startTime = 0, 17, 19
	if len(fields) <= startTime {
		return "", false, fmt.Errorf("process %d: unknown form of stat", pid)
	}
	// While other threads of a process run, only its first one is a zombie.
	ended := fields[state][0] == 'Z' && (string(fields[threads]) == "1" || string(fields[threads]) == "0")
	return string(fields[startTime]), ended, nil
}
