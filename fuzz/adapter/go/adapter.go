// Package adapter is what adapters in Go have in common: a controller, built from its own module, behind Ordeal's adapter
// protocol (../PROTOCOL.md).
//
// The whole controller runs, from its sync down to its typed client. What is ours is around it: the stores that its
// listers read are filled with the harness's events, the client's transport hands each request to the harness, and the
// clock is the harness's. ci/upstream builds the adapters, and changes what has to be changed elsewhere, a line each.
package adapter

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/component-base/featuregate"
	"k8s.io/klog/v2"
)

const protocol = 1

// Kind is what the adapters differ in.
type Kind struct {
	Name    string                       // of the controller, with its release
	Like    string                       // the release it takes after, as PROTOCOL.md has it; "": it does not say
	Gates   gates                        // of its process
	GatesOn []string                     // which are tried although they are off unless asked for
	NewSet  func() Object                // an empty set of its own type
	Shown   func([]byte) ([]byte, error) // what its API server would serve in place of an object; nil: the same
	// Its controllers are Handling: which set is to be looked at is for their own event handlers to say.
	Handlers bool
	// Its controllers work off a queue of their own: also when a failed sync is run again is for them to say.
	Queue bool
	// Warm makes requests of each kind that the controller makes, some of which nobody sees. What libraries remember of a type then
	// orders no goroutines any more, which would hide a data race from the detector where it is the first that happens.
	Warm  func()
	Start func(context.Context, *Caches) Controller
}

// Running is a controller that starts its workers itself, once the caches that it waits for have synced.
type Running interface{ Run(context.Context) }

// Queued is a controller that works off a queue of its own.
type Queued interface {
	// Alone is whether that kept the key of the last sync from other workers as long as it lasted.
	Alone() bool
}

// Controller is one controller process.
type Controller interface {
	// Sync returns what the sync returned, and after how long it wants to be run again, if it does.
	Sync(context.Context, string) (*time.Duration, error)
	// Stop ends what it started in the background.
	Stop()
}

// Handling is a controller that has registered event handlers with its caches.
type Handling interface {
	// Asked is what the handlers have asked for since they were last asked.
	Asked() []Wake
}

type gates interface {
	GetAll() map[featuregate.Feature]featuregate.FeatureSpec
	Set(string) error
}

// process is one controller process as the harness sees it: its caches and its memory. A reset takes all of it away.
type process struct {
	caches     *Caches
	controller Controller
}

type adapter struct {
	harness *Harness
	kind    Kind
	gates   map[string]bool
	process *process
	now     atomic.Value    // a time.Time: a release that records events in the background looks at it at any time
	races   func() []string // that were seen since it was asked last; nil when nobody looks
}

// NewHarness is the one at the other end of our standard streams.
func NewHarness() *Harness { return newHarness(pipe(syscall.Stdin), pipe(syscall.Stdout)) }

// Serve plays controllers of this kind until the harness closes our input. With the argument -loop it plays a recording.
func (h *Harness) Serve(kind Kind) {
	races := watchRaces()
	debug.SetGCPercent(2000)      // little lives long; memory is cheaper than the time
	debug.SetMemoryLimit(1 << 30) // as long as there is enough of it: more lives longer than it should in some release
	klog.LogToStderr(false)
	klog.SetOutput(discard{})
	utilruntime.ErrorHandlers = nil
	a := &adapter{harness: h, kind: kind, races: races}
	a.now.Store(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	h.beside = a.sync
	time.OrdealNow = func() time.Time { return a.now.Load().(time.Time) }
	if err := a.serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (a *adapter) serve() error {
	if a.races != nil && a.kind.Warm != nil {
		a.harness.echoes = true
		a.kind.Warm()
		a.harness.echoes = false
	}
	for _, gate := range a.kind.GatesOn {
		if err := a.setGate(gate, true); err != nil {
			return err
		}
	}
	if len(os.Args) > 1 && os.Args[1] == "-loop" {
		return a.loop()
	}
	return a.run()
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
		if err := whole(func() error { return a.handle(message) }); err != nil {
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
		// These controllers read caches and count no events: what came in between would only have to be decoded.
		a.harness.send(hello{Type: "hello", Protocol: protocol, Name: a.kind.Name, Like: a.kind.Like, Events: "latest",
			Handlers: a.kind.Handlers, Queue: a.kind.Queue, StartsWithout: a.startsWithout(), LiveCaches: true, SeveralWorkers: true,
			LostConnections: true})
	case "reset":
		return a.reset(m.Gates)
	case "ADDED", "MODIFIED", "DELETED":
		return a.process.caches.take(m.Type, m.Object, m.Unknown)
	case "handle":
		return a.runHandlers(m)
	case "sync":
		return a.sync(m)
	default:
		return fmt.Errorf("the harness wrote a message of a type this adapter does not know: %q", m.Type)
	}
	return nil
}

// startsWithout is which caches a controller does not ask whether they have synced before it starts its workers, which end at once.
// Of one that asks none nobody can tell: who starts it may wait for them.
func (a *adapter) startsWithout() []string {
	caches, ctx := newCaches(&a.kind), klog.NewContext(context.Background(), logr.Discard())
	running, ok := a.kind.Start(ctx, caches).(Running)
	if !ok {
		return nil
	}
	ended, end := context.WithCancel(ctx)
	end()
	running.Run(ended)
	return caches.unasked()
}

// setGate leaves out what the release cannot turn: it would remember the attempt and refuse every later one.
func (a *adapter) setGate(gate string, on bool) error {
	spec, known := a.kind.Gates.GetAll()[featuregate.Feature(gate)]
	if !known || (spec.LockToDefault && spec.Default != on) {
		return nil
	}
	return a.kind.Gates.Set(fmt.Sprintf("%s=%t", gate, on))
}

// reset plays a new process under these gates. A release that does not know a gate does without it.
func (a *adapter) reset(gates map[string]bool) error {
	for gate, on := range gates {
		if was, known := a.gates[gate]; !known || was != on {
			if err := a.setGate(gate, on); err != nil {
				return err
			}
		}
	}
	a.gates = gates
	if a.process != nil {
		a.process.controller.Stop()
	}
	caches := newCaches(&a.kind)
	a.harness.caches = caches
	a.process = &process{caches, a.kind.Start(klog.NewContext(context.Background(), logr.Discard()), caches)}
	return nil
}

func (a *adapter) setTime(text string) error {
	now, err := time.Parse(time.RFC3339Nano, text)
	if err == nil {
		a.now.Store(now)
	}
	return err
}

// milliseconds of a delay; what was due before is due now, as in any workqueue.
func milliseconds(after time.Duration) int64 {
	if after < 0 {
		return 0
	}
	return after.Milliseconds()
}

func (a *adapter) sync(m *message) error {
	if err := a.setTime(m.Time); err != nil {
		return err
	}
	a.process.caches.come(m)
	interrupted := a.harness.begin(m.ID)
	defer func() { a.harness.end(interrupted) }()
	earlier := exchangeEvents([]event{}) // of the turn that this one interrupts
	after, died, err := a.run1(m.Key)
	if a.harness.turn.dead { // the process that made these calls died in one of them
		return nil
	}
	end := done{Type: "done", ID: m.ID, Died: died}
	if err != nil {
		text := err.Error()
		end.Error = &text
		end.Status, end.Reason = statusOf(err)
	}
	if after != nil {
		due := milliseconds(*after)
		end.RequeueAfterMs = &due
	}
	if a.harness.turn.called && !interrupted.lasts && !a.harness.plays() { // whoever asks for nothing has hardly found a thing to change
		touched := a.process.caches.touched()
		end.Touched = &touched
	}
	if a.races != nil && !interrupted.lasts {
		races := a.races()
		end.Races = &races
	}
	if told := exchangeEvents(earlier); records {
		end.Events = &told
	}
	if queued, ok := a.process.controller.(Queued); ok {
		alone := queued.Alone()
		end.Alone = &alone
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
	after, err = a.process.controller.Sync(ctx, key)
	return after, "", err
}

// hello is what the adapter says of itself.
type hello struct {
	Type     string `json:"type"`
	Protocol int    `json:"protocol"`
	Name     string `json:"name"`
	Like     string `json:"like,omitempty"`
	Events   string `json:"events"`
	Handlers bool   `json:"handlers,omitempty"`
	Queue    bool   `json:"queue,omitempty"`
	// Resources whose caches it does not wait for; nil when nobody knows.
	StartsWithout []string `json:"startsWithout"`
	// Listers read the stores anew whenever they are asked.
	LiveCaches bool `json:"liveCaches"`
	// While a worker waits for an answer another one may run.
	SeveralWorkers bool `json:"severalWorkers"`
	// A call that nobody answers has an error of the connection.
	LostConnections bool `json:"lostConnections"`
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
	// What the controller has changed in its caches; nil when nobody has looked.
	Touched *[]string `json:"touched,omitempty"`
	// What uses the same memory with nothing between; nil when nobody has looked.
	Races *[]string `json:"races,omitempty"`
	// What it told people; nil when nobody knows.
	Events *[]event `json:"events,omitempty"`
	// No other worker could have had the set meanwhile; nil when nobody knows.
	Alone *bool `json:"alone,omitempty"`
}

// message is whatever the harness writes.
type message struct {
	Type     string              `json:"type"`
	Protocol int                 `json:"protocol"`
	Gates    map[string]bool     `json:"gates"`
	Object   json.RawMessage     `json:"object"`
	Unknown  bool                `json:"unknown"`
	ID       int64               `json:"id"`
	Key      string              `json:"key"`
	Time     string              `json:"time"`
	Reached  map[string]string   `json:"reached"`
	Order    map[string][]string `json:"order"`
	Replies  []reply             `json:"replies"`
}

func (m *message) isEvent() bool {
	return m.Type == "ADDED" || m.Type == "MODIFIED" || m.Type == "DELETED"
}

type reply struct {
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body"`
}
