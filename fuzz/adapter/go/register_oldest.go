//go:build oldest

package adapter

import (
	"time"

	"k8s.io/client-go/tools/cache"
)

// AddEventHandler and its like remember who is to be told. They return nothing before client-go 0.26.
func (i *Informer) AddEventHandler(handler cache.ResourceEventHandler) {
	i.handlers = append(i.handlers, handler)
}

func (i *Informer) AddEventHandlerWithResyncPeriod(handler cache.ResourceEventHandler, _ time.Duration) {
	i.AddEventHandler(handler)
}
