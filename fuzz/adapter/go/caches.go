package adapter

import (
	"fmt"
	"regexp"
	"sort"
	"sync/atomic"

	appsv1 "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
	sigsjson "sigs.k8s.io/json"
)

// Object is anything that is stored.
type Object interface {
	metav1.Object
	runtime.Object
}

// Caches are the informers of one controller process, fed by the harness instead of by watches.
type Caches struct {
	Pods, Sets, Claims, Revisions *Informer
	kind                          *Kind
	news                          []func() // what the event handlers are yet to hear
}

// Where the event handlers of each cache run. A process that is played anew has them, too: what its program keeps in variables of its
// own is the last one's.
var ofPods, ofSets, ofClaims, ofRevisions = newAside(), newAside(), newAside(), newAside()

func newCaches(kind *Kind) *Caches {
	return &Caches{newInformer(&v1.Pod{}, ofPods), newInformer(kind.NewSet(), ofSets), newInformer(&v1.PersistentVolumeClaim{}, ofClaims),
		newInformer(&appsv1.ControllerRevision{}, ofRevisions), kind, nil}
}

// take is one event of a watch. With `unknown` it is a deletion that only a list has shown.
func (c *Caches) take(event string, raw []byte, unknown bool) error {
	kind, err := kindOf(raw)
	if err != nil {
		return err
	}
	var read Object
	var informer *Informer
	switch kind {
	case "Pod":
		read, informer = &v1.Pod{}, c.Pods
	case "StatefulSet":
		read, informer = c.kind.NewSet(), c.Sets
	case "PersistentVolumeClaim":
		read, informer = &v1.PersistentVolumeClaim{}, c.Claims
	case "ControllerRevision":
		read, informer = &appsv1.ControllerRevision{}, c.Revisions
	default:
		return fmt.Errorf("the harness showed an object of kind %q", kind)
	}
	if c.kind.Shown != nil {
		if raw, err = c.kind.Shown(raw); err != nil {
			return err
		}
	}
	if err := sigsjson.UnmarshalCaseSensitivePreserveInts(raw, read); err != nil {
		return err
	}
	// As clients of a type decode it: what says of which kind it is they leave empty.
	read.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	before, held, err := informer.indexer.Get(read)
	if err != nil {
		return err
	}
	if held {
		informer.guard.dropped(before.(Object))
	}
	if event == "DELETED" {
		if c.kind.Handlers {
			c.news = append(c.news, func() { informer.aside(func() { informer.deleted(read, unknown) }) })
		}
		return informer.indexer.Delete(read)
	}
	if c.kind.Handlers {
		c.news = append(c.news, func() { informer.aside(func() { informer.updated(before, read) }) })
	}
	informer.guard.took(read)
	return informer.indexer.Update(read)
}

// tell runs the event handlers of all that is news, in order.
func (c *Caches) tell() {
	for _, told := range c.news {
		told()
	}
	c.news = nil
}

// kindOf reads no more than it must of an object whose keys are in order, as those of the harness are.
func kindOf(raw []byte) (string, error) {
	if found := kindFirst.FindSubmatch(raw); found != nil {
		return string(found[1]), nil
	}
	var kind metav1.TypeMeta
	err := sigsjson.UnmarshalCaseSensitivePreserveInts(raw, &kind)
	return kind.Kind, err
}

var kindFirst = regexp.MustCompile(`^\{"apiVersion":"[a-z0-9/]*","kind":"([A-Za-z]*)",`)

// come notes how far the caches have come, and in what order they list from now on.
func (c *Caches) come(m *message) {
	c.reach(m.Reached)
	c.order(m.Order)
	walkMaps(m)
}

// reach notes the version that each cache has seen.
func (c *Caches) reach(reached map[string]string) {
	c.Pods.indexer.reached = reached["pods"]
	c.Sets.indexer.reached = reached["statefulsets"]
	c.Claims.indexer.reached = reached["persistentvolumeclaims"]
	c.Revisions.indexer.reached = reached["controllerrevisions"]
}

// order notes how each cache lists: in the order of these names, or by name when there are none.
func (c *Caches) order(names map[string][]string) {
	c.Pods.indexer.order(names["pods"])
	c.Sets.indexer.order(names["statefulsets"])
	c.Claims.indexer.order(names["persistentvolumeclaims"])
	c.Revisions.indexer.order(names["controllerrevisions"])
}

// unasked is of which resources nobody has asked whether the cache has synced; nil when nobody asked of any.
func (c *Caches) unasked() []string {
	all := []struct {
		resource string
		cache    *Informer
	}{{"statefulsets", c.Sets}, {"pods", c.Pods}, {"persistentvolumeclaims", c.Claims}, {"controllerrevisions", c.Revisions}}
	resources := []string{}
	for _, one := range all {
		if !one.cache.asked {
			resources = append(resources, one.resource)
		}
	}
	if len(resources) == len(all) {
		return nil
	}
	return resources
}

// Informer is a shared informer that is never started, and whose store is ours. Who registers handlers with it is told of
// events when the harness wants that.
type Informer struct {
	cache.SharedIndexInformer
	indexer  *indexer
	guard    guard
	handlers []cache.ResourceEventHandler
	aside    func(func()) // runs them
	asked    bool         // whether it has synced
}

func newInformer(of runtime.Object, aside func(func())) *Informer {
	indexers := cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
	return &Informer{
		SharedIndexInformer: cache.NewSharedIndexInformer(&cache.ListWatch{}, of, 0, cache.Indexers{}),
		indexer:             &indexer{Indexer: cache.NewIndexer(cache.MetaNamespaceKeyFunc, indexers)},
		guard:               guard{map[Object]runtime.Object{}},
		aside:               aside,
	}
}

func (i *Informer) AddIndexers(added cache.Indexers) error { return i.indexer.AddIndexers(added) }
func (i *Informer) GetIndexer() cache.Indexer              { return i.indexer }
func (i *Informer) GetStore() cache.Store                  { return i.indexer }
func (i *Informer) HasSynced() bool {
	i.asked = true
	return true
}

// indexer lists in the order that the harness wants. That of a real one is that of a map: any.
type indexer struct {
	cache.Indexer
	reached string
	places  atomic.Value // map[string]int; event handlers and workers list at any time
}

func (i *indexer) order(names []string) {
	var places map[string]int
	if len(names) > 0 {
		places = make(map[string]int, len(names))
	}
	for place, name := range names {
		places[name] = place
	}
	i.places.Store(places)
}

func (i *indexer) LastStoreSyncResourceVersion() string { return i.reached }

func (i *indexer) List() []interface{} { return i.sorted(i.Indexer.List()) }
func (i *indexer) ByIndex(index, value string) ([]interface{}, error) {
	found, err := i.Indexer.ByIndex(index, value)
	return i.sorted(found), err
}
func (i *indexer) Index(index string, like interface{}) ([]interface{}, error) {
	found, err := i.Indexer.Index(index, like)
	return i.sorted(found), err
}

func (i *indexer) sorted(objects []interface{}) []interface{} {
	places, _ := i.places.Load().(map[string]int)
	sort.Slice(objects, func(a, b int) bool {
		one, other := objects[a].(metav1.Object), objects[b].(metav1.Object)
		if places != nil && places[one.GetName()] != places[other.GetName()] {
			return places[one.GetName()] < places[other.GetName()]
		}
		if one.GetName() != other.GetName() {
			return one.GetName() < other.GetName()
		}
		return one.GetNamespace() < other.GetNamespace()
	})
	return objects
}
