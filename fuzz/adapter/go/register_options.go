//go:build options

package adapter

import "k8s.io/client-go/tools/cache"

// AddEventHandlerWithOptions is one way more of later client-go: 0.35 has it, 0.31 has not.
func (i *Informer) AddEventHandlerWithOptions(handler cache.ResourceEventHandler, _ cache.HandlerOptions) (cache.ResourceEventHandlerRegistration, error) {
	return i.AddEventHandler(handler)
}
