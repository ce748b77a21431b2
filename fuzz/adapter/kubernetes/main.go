// The StatefulSet controller of a Kubernetes release behind Ordeal's adapter protocol (../PROTOCOL.md).
//
// The whole controller runs, from its sync down to its typed client. What is ours is around it: the stores that its
// listers read are filled with the harness's events, the client's transport hands each request to the harness, the clock
// is the harness's, and the work queue only notes when the controller wants to be run again. ci/upstream builds it.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/component-base/featuregate"
	"k8s.io/klog/v2"

	"ordeal/adapter/kubernetes/statefulset"
)

// The release, put here by the linker.
var release = "unknown"

const protocol = 1

// process is one controller process as the harness sees it: its caches and its memory. A reset takes all of it away.
type process struct {
	caches *caches
	driver *statefulset.OrdealDriver
}

type adapter struct {
	harness *harness
	client  kubernetes.Interface
	gates   map[string]bool
	process *process
	now     time.Time
}

func main() {
	debug.SetGCPercent(2000) // little lives long; memory is cheaper than the time
	klog.LogToStderr(false)
	klog.SetOutput(discard{})
	utilruntime.ErrorHandlers = nil
	a := &adapter{harness: newHarness(pipe(syscall.Stdin), pipe(syscall.Stdout)), now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	time.OrdealNow = func() time.Time { return a.now }
	a.client = kubernetes.NewForConfigOrDie(&rest.Config{
		Host:          "http://harness",
		Transport:     a.harness,
		QPS:           -1,
		ContentConfig: rest.ContentConfig{ContentType: "application/json"},
	})
	err := setGate("StatefulSetAutoDeletePVC", true) // an alpha in 1.24, and part of what is tried
	if err == nil && len(os.Args) > 1 && os.Args[1] == "-loop" {
		err = a.loop()
	} else if err == nil {
		err = a.run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// run serves the harness until it closes our input.
func (a *adapter) run() error {
	for {
		message, err := a.harness.receive()
		if message == nil || err != nil {
			return err
		}
		if err := a.handle(message); err != nil {
			return err
		}
	}
}

func (a *adapter) handle(m *message) error {
	switch m.Type {
	case "hello":
		if m.Protocol != protocol {
			return fmt.Errorf("the harness speaks protocol %d, and this adapter %d", m.Protocol, protocol)
		}
		a.harness.send(map[string]any{"type": "hello", "protocol": protocol, "name": "kubernetes " + release, "like": "kubernetes@" + release})
	case "reset":
		return a.reset(m.Gates)
	case "ADDED", "MODIFIED", "DELETED":
		return a.process.caches.take(m.Type, m.Object)
	case "sync":
		return a.sync(m)
	default:
		return fmt.Errorf("the harness wrote a message of a type this adapter does not know: %q", m.Type)
	}
	return nil
}

// setGate leaves out what the release cannot turn: it would remember the attempt and refuse every later one.
func setGate(gate string, on bool) error {
	spec, known := utilfeature.DefaultMutableFeatureGate.GetAll()[featuregate.Feature(gate)]
	if !known || (spec.LockToDefault && spec.Default != on) {
		return nil
	}
	return utilfeature.DefaultMutableFeatureGate.Set(fmt.Sprintf("%s=%t", gate, on))
}

// reset plays a new process under these gates. A release that does not know a gate does without it.
func (a *adapter) reset(gates map[string]bool) error {
	for gate, on := range gates {
		if was, known := a.gates[gate]; !known || was != on {
			if err := setGate(gate, on); err != nil {
				return err
			}
		}
	}
	a.gates = gates
	if a.process != nil {
		a.process.driver.Stop()
	}
	caches := newCaches()
	ctx := klog.NewContext(context.Background(), logr.Discard())
	driver := statefulset.NewOrdealDriver(ctx, caches.pods, caches.sets, caches.claims, caches.revisions, a.client)
	a.process = &process{caches, driver}
	return nil
}

func (a *adapter) sync(m *message) error {
	now, err := time.Parse(time.RFC3339Nano, m.Time)
	if err != nil {
		return err
	}
	a.now = now
	a.process.caches.reach(m.Reached)
	a.process.caches.order(m.Order)
	a.harness.begin(m.ID)
	after, died, err := a.run1(m.Key)
	if a.harness.ended() { // the process that made these calls died in one of them
		return nil
	}
	end := done{Type: "done", ID: m.ID, Died: died}
	if err != nil {
		text := err.Error()
		end.Error = &text
		end.Status, end.Reason = statusOf(err)
	}
	if after != nil {
		milliseconds := after.Milliseconds()
		end.RequeueAfterMs = &milliseconds
	}
	a.harness.send(&end)
	return nil
}

// run1 runs one sync. A panic would end the real process: here it ends the one that is played, and says of what it died.
func (a *adapter) run1(key string) (after *time.Duration, died string, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			died = fmt.Sprintf("panic: %v", cause)
		}
	}()
	ctx := klog.NewContext(context.Background(), logr.Discard())
	after, err = a.process.driver.Sync(ctx, key)
	return after, "", err
}

// done is how a sync ended.
type done struct {
	Type           string  `json:"type"`
	ID             int64   `json:"id"`
	Died           string  `json:"died,omitempty"`
	Error          *string `json:"error,omitempty"`
	Status         int32   `json:"status,omitempty"`
	Reason         string  `json:"reason,omitempty"`
	RequeueAfterMs *int64  `json:"requeueAfterMs,omitempty"`
}

// message is whatever the harness writes.
type message struct {
	Type     string              `json:"type"`
	Protocol int                 `json:"protocol"`
	Gates    map[string]bool     `json:"gates"`
	Object   json.RawMessage     `json:"object"`
	ID       int64               `json:"id"`
	Key      string              `json:"key"`
	Time     string              `json:"time"`
	Reached  map[string]string   `json:"reached"`
	Order    map[string][]string `json:"order"`
	Replies  []reply             `json:"replies"`
}

type reply struct {
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body"`
}
