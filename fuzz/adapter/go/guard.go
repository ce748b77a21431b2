package adapter

import (
	"reflect"
	"sort"

	"k8s.io/apimachinery/pkg/runtime"
)

// guard notices who changes objects of a cache in place, as client-go's mutation detector does: they are shared, and whoever
// reads them later takes the change for what is stored.
type guard struct {
	copies map[Object]runtime.Object // of all that is in the cache, as the harness sent it
}

func (g *guard) took(read Object)   { g.copies[read] = read.DeepCopyObject() }
func (g *guard) dropped(old Object) { delete(g.copies, old) }

// touched names what has changed since it was asked last.
func (g *guard) touched(kind string) []string {
	var names []string
	for object, copy := range g.copies {
		if !reflect.DeepEqual(object, copy) {
			names = append(names, kind+" "+object.GetName())
			g.took(object)
		}
	}
	sort.Strings(names)
	return names
}

// touched names what the controller has changed of its caches' objects since this was asked last.
func (c *Caches) touched() []string {
	names := append([]string{}, c.Sets.guard.touched("StatefulSet")...) // a list, if of nothing
	names = append(names, c.Pods.guard.touched("Pod")...)
	names = append(names, c.Claims.guard.touched("PersistentVolumeClaim")...)
	return append(names, c.Revisions.guard.touched("ControllerRevision")...)
}
