//go:build !oldest

package adapter

import (
	"time"

	"k8s.io/client-go/tools/cache"
)

// AddEventHandler and its like remember who is to be told.
func (i *Informer) AddEventHandler(handler cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	i.handlers = append(i.handlers, handler)
	registered, err := i.SharedIndexInformer.AddEventHandler(handler)
	return registration{registered, i}, err
}

// registration has synced when the cache has: the informer behind it never starts.
type registration struct {
	cache.ResourceEventHandlerRegistration
	informer *Informer
}

func (r registration) HasSynced() bool { return r.informer.HasSynced() }

func (i *Informer) AddEventHandlerWithResyncPeriod(handler cache.ResourceEventHandler, _ time.Duration) (cache.ResourceEventHandlerRegistration, error) {
	return i.AddEventHandler(handler)
}
