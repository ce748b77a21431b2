package adapter

import (
	"fmt"
	"time"

	"k8s.io/client-go/tools/cache"
)

// Wake is a set that event handlers ask to be looked at, after so long.
type Wake struct {
	Key   string
	After time.Duration
}

// Asking keeps what a sync, or an event handler, asks of a work queue. That one of these comes after the other is not for the race
// detector to see: a real queue orders them, too, but for one set alone, and these notes are of all.
type Asking struct{ asked []Wake }

//go:norace
func (a *Asking) Ask(key string, after time.Duration) { a.asked = append(a.asked, Wake{key, after}) }

// Asked is what was asked since this was last called.
//
//go:norace
func (a *Asking) Asked() []Wake {
	asked := a.asked
	a.asked = nil
	return asked
}

// Earliest is after how long that set is due first; nothing when nobody asked for it. What was asked for others stays.
//
//go:norace
func (a *Asking) Earliest(key string) *time.Duration {
	var earliest *time.Duration
	asked := a.Asked()
	for i := range asked {
		if asked[i].Key != key {
			a.asked = append(a.asked, asked[i])
			continue
		}
		if earliest == nil || asked[i].After < *earliest {
			earliest = &asked[i].After
		}
	}
	return earliest
}

// handled is what event handlers asked for.
type handled struct {
	Type  string `json:"type"`
	ID    int64  `json:"id"`
	Died  string `json:"died,omitempty"`
	Wakes []wake `json:"wakes"`
}

type wake struct {
	Key     string `json:"key"`
	AfterMs int64  `json:"afterMs,omitempty"`
}

func (a *adapter) runHandlers(m *message) error {
	if err := a.setTime(m.Time); err != nil {
		return err
	}
	a.process.caches.order(m.Order) // none: event handlers list by name
	asked, died := a.tell()
	end := handled{Type: "handled", ID: m.ID, Died: died, Wakes: []wake{}}
	for _, one := range asked {
		end.Wakes = append(end.Wakes, wake{one.Key, milliseconds(one.After)})
	}
	a.harness.send(&end)
	return nil
}

func (a *adapter) tell() (asked []Wake, died string) {
	defer func() {
		if cause := recover(); cause != nil {
			died = fmt.Sprintf("panic in an event handler: %v", cause)
		}
	}()
	a.process.caches.tell()
	return a.process.controller.(Handling).Asked(), ""
}

// What follows is how an informer calls its handlers. The first has had one more argument since client-go 0.27.
func (i *Informer) updated(before, after interface{}) {
	for _, handler := range i.handlers {
		if before != nil {
			handler.OnUpdate(before, after)
			continue
		}
		switch h := handler.(type) {
		case interface{ OnAdd(interface{}, bool) }:
			h.OnAdd(after, false)
		case interface{ OnAdd(interface{}) }:
			h.OnAdd(after)
		}
	}
}

func (i *Informer) deleted(object Object, unknown bool) {
	var told interface{} = object
	if unknown {
		key, _ := cache.MetaNamespaceKeyFunc(object)
		told = cache.DeletedFinalStateUnknown{Key: key, Obj: object}
	}
	for _, handler := range i.handlers {
		handler.OnDelete(told)
	}
}
