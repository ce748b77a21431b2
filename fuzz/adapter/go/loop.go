package adapter

import (
	"bytes"
	"fmt"
	"runtime/debug"
	"syscall"
	"time"
)

// loop plays what a harness once said, its answers included, to the controller alone: nobody is waited for, and nobody told.
// It prints how many syncs that were, and the seconds of processor time in them: what the controller can do at best.
func (a *adapter) loop() error {
	said, err := a.harness.all()
	if err != nil {
		return err
	}
	a.harness.said = said
	debug.SetGCPercent(150) // what was said stays in memory; collections come as often as without it
	var syncs int
	var spent time.Duration
	for len(a.harness.said) > 0 {
		m, _ := a.harness.receive()
		begun := processorTime()
		if err := a.handle(m); err != nil {
			return err
		}
		if m.Type == "sync" || m.Type == "handle" {
			spent += processorTime() - begun
		}
		if m.Type == "sync" {
			syncs++
		}
	}
	fmt.Printf("%d %.3f\n", syncs, spent.Seconds())
	return nil
}

// all is everything that there is to be received, without the greeting.
func (h *Harness) all() ([]*message, error) {
	var said []*message
	for {
		m, err := h.receive()
		if m == nil || err != nil {
			return said, err
		}
		m.Object = bytes.Clone(m.Object)
		for i := range m.Replies {
			m.Replies[i].Body = bytes.Clone(m.Replies[i].Body)
		}
		if m.Type != "hello" {
			said = append(said, m)
		}
	}
}

func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
