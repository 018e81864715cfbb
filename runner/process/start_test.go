//go:build unix

package process

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// hasty is a start timeout for plugins that never get ready.
const hasty = time.Second

// TestStartScripts starts programs that fail to become plugins. What they print
// comes at the end of the text.
func TestStartScripts(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	const handshake = "echo '1|1|unix|/nowhere/socket|grpc'; "
	tests := map[string]struct {
		script string
		want   string
		slow   bool // fails by its start timeout
	}{
		"prints text and exits":   {`echo hello`, `printed "hello" instead of a handshake`, false},
		"prints text on both":     {`echo why >&2; echo hello; exit 3`, `printed "hello" instead of a handshake: why`, false},
		"prints text and hangs":   {`echo hello; exec sleep 300`, `printed "hello" instead of a handshake`, false},
		"prints for ever":         {`exec yes`, `printed "y" instead of a handshake`, false},
		"prints 10 MB in a line":  {`head -c 10000000 /dev/zero | tr '\0' x; exec sleep 300`, `printed "x{80}…" instead of a handshake`, false},
		"prints control codes":    {`printf 'a\033[31m\001b\377c\n'`, `printed "a \[31m b�c" instead of a handshake`, false},
		"exits 0 at once":         {`exit 0`, `exited with status 0 before it was ready`, false},
		"exits 3 with a text":     {`echo no licence >&2; exit 3`, `exited with status 3 before it was ready: no licence`, false},
		"exits with many lines":   {`seq 9 >&2; exit 3`, `exited with status 3 before it was ready: 7 \| 8 \| 9`, false},
		"exits in half a line":    {`printf 'one\ntwo' >&2; exit 3`, `exited with status 3 before it was ready: one \| two`, false},
		"ended by a signal":       {`kill -SEGV $$`, `ended by signal: segmentation fault( \(core dumped\))? before it was ready`, false},
		"half a line and hangs":   {`printf 'half a li'; echo hm >&2; exec sleep 300`, `was not ready within 1s and printed "half a li" instead of a handshake: hm`, true},
		"never handshakes":        {`echo hm >&2; exec sleep 300`, `was not ready within 1s: hm`, true},
		"ignores every signal":    {`trap '' TERM INT HUP; while :; do sleep 300; done`, `was not ready within 1s`, true},
		"closes its output":       {`exec >&-; exec sleep 300`, `closed its output without a handshake`, false},
		"10 MB on stderr":         {`yes no | head -c 9999999 >&2; echo last >&2; exit 3`, `exited with status 3 before it was ready: no \| no \| last`, false},
		"1 MB line on stderr":     {`head -c 1000000 /dev/zero | tr '\0' x >&2; echo >&2; echo last >&2; exit 3`, `exited with status 3 before it was ready: last`, false},
		"mistyped log line":       {`echo '{"@message":1}' >&2; exit 3`, `exited with status 3 before it was ready: {"@message":1}`, false},
		"control codes on stderr": {`printf 'a\033[31m\001b\377c\342\200\256d\n' >&2; exit 3`, `exited with status 3 before it was ready: a \[31m b�c d`, false},
		"grandchild in its group": {`sleep 300 & echo bye >&2; exit 3`, `exited with status 3 before it was ready: bye`, false},
		"later protocol":          {`echo '1|99|unix|/nowhere|grpc'; exec sleep 300`, `speaks protocol version 99, this stagehook speaks 1: upgrade stagehook`, false},
		"absurd protocol":         {`echo '1|99999999999999999999|unix|/nowhere|grpc'; exec sleep 300`, `speaks protocol version 9{20}, this stagehook speaks 1: upgrade stagehook`, false},
		"earlier protocol":        {`echo '1|0|unix|/nowhere|grpc'; exec sleep 300`, `speaks protocol version 0, this stagehook speaks 1: upgrade the plugin`, false},
		"unknown core protocol":   {`echo '2|1|unix|/nowhere|grpc'; exec sleep 300`, `printed "2\|1\|unix\|/nowhere\|grpc" instead of a handshake`, false},
		"protocol netrpc":         {`echo '1|1|unix|/nowhere|netrpc'; exec sleep 300`, `speaks netrpc instead of grpc`, false},
		"unknown network":         {`echo '1|1|carrier|pigeon|grpc'; exec sleep 300`, `broke the protocol: unknown address type: pigeon`, false},
		"unasked certificate":     {`echo '1|1|unix|/nowhere|grpc|` + certificate(t) + `'; exec sleep 300`, `sent a certificate that nobody asked for`, false},
		"unasked long field":      {`echo '1|1|unix|/nowhere|grpc|` + strings.Repeat("x", 60) + `'; exec sleep 300`, `sent a certificate that nobody asked for`, false},
		"unasked short field":     {`echo '1|1|unix|/nowhere|grpc|` + strings.Repeat("x", 50) + `'; exec sleep 300`, `cannot be reached at its socket`, false},
		"no such socket":          {handshake + `exec sleep 300`, `cannot be reached at its socket`, false},
		"dies after handshake":    {handshake + `echo bye >&2; exit 3`, `crashed: exited with status 3: bye`, false},
		"ends after handshake":    {handshake + `exit 0`, `ended before it answered`, false},
	}
	t.Run("all", func(t *testing.T) {
		for name, test := range tests {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				command := script(t, test.script)
				if test.slow {
					command.StartTimeout = hasty
				}
				wantError(t, failStart(t, openPool(t), command), test.want)
			})
		}
	})
}

// certificate is one as in a handshake. go-plugin panics when it gets one that it
// has not asked for.
func certificate(t *testing.T) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return base64.RawStdEncoding.EncodeToString(der)
}

// TestStartPrograms starts Go programs that fail to become plugins.
func TestStartPrograms(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	with := func(settings string) Command {
		command := as("plugin", "good")
		command.Settings = []byte(settings)
		return command
	}
	tests := map[string]struct {
		command Command
		want    string
	}{
		"prints before it serves": {as("early", "print"), `printed "starting up" instead of a handshake`},
		"panics before it serves": {as("early", "panic"), `exited with status 2 before it was ready: panic: no configuration`},
		"serves a bad spec":       {as("early", "spec"), `exited with status 1 before it was ready: .*serves no kind: .*`},
		"unknown setting":         {with(`{"depht":1}`), `settings: unknown key "depht"; there are: depth`},
		"mistyped setting":        {with(`{"depth":"1"}`), `settings: depth: must be of type int, not string`},
		"refused setting":         {with(`{"depth":0}`), `settings: depth: must not be 0`},
		"panics on its settings":  {with(`{"depth":13}`), `panic: unlucky`},
	}
	t.Run("all", func(t *testing.T) {
		for name, test := range tests {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				wantError(t, failStart(t, openPool(t), test.command), test.want)
			})
		}
	})
}

// A mute socket makes go-plugin wait far longer than the start timeout.
func TestStartMuteSocket(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	pool := openPool(t)
	command := as("mute")
	command.StartTimeout = 3 * time.Second // it must come to the handshake
	wantError(t, failStart(t, pool, command), `was not ready within 3s`)
	if line := pool.running["stranger"].process.child.stdout.String(); !strings.HasPrefix(line, "1|1|unix|") {
		t.Errorf("the handshake is %q; the test did not test", line)
	}
}

// A grandchild in a session of its own outlives the plugin and holds its pipes.
func TestStartGrandchildInOtherSession(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	pidFile := filepath.Join(t.TempDir(), "pid")
	endLater(t, pidFile)
	err := failStart(t, openPool(t), as("daemonize", pidFile, "bye"))
	wantError(t, err, `exited with status 3 before it was ready: bye`)
}

// endLater ends the process whose ID is in the file at the end of the test. It
// must have lived until then.
func endLater(t *testing.T, pidFile string) {
	t.Cleanup(func() {
		content, err := os.ReadFile(pidFile)
		if err != nil {
			t.Error(err)
			return
		}
		pid, err := strconv.Atoi(string(content))
		if err != nil {
			t.Error(err)
			return
		}
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Errorf("the grandchild: %v", err)
		}
	})
}

// A failed start ends the process at once, not when the pool is closed.
func TestFailedStartEndsProcess(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	pool := openPool(t)
	command := script(t, `exec sleep 300`)
	command.StartTimeout = hasty
	failStart(t, pool, command)
	wantNoGroup(t, pool.running["stranger"].process.child.pid())
}

// go-plugin forgets a connection that it is making when it learns that the
// process is gone.
func TestStartDyingPluginsLeavesNoConnections(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	for range 20 {
		failStart(t, openPool(t), script(t, `echo '1|1|unix|/nowhere/socket|grpc'`))
	}
}
