package main

import (
	"fmt"
	"regexp"
	"sort"

	appsv1 "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	appslisters "k8s.io/client-go/listers/apps/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	sigsjson "sigs.k8s.io/json"
)

// caches are the informers of one controller process, fed by the harness instead of by watches.
type caches struct {
	pods      pods
	sets      sets
	claims    claims
	revisions revisions
}

func newCaches() *caches {
	return &caches{
		pods{newInformer(&v1.Pod{})},
		sets{newInformer(&appsv1.StatefulSet{})},
		claims{newInformer(&v1.PersistentVolumeClaim{})},
		revisions{newInformer(&appsv1.ControllerRevision{})},
	}
}

// take is one event of a watch.
func (c *caches) take(event string, raw []byte) error {
	kind, err := kindOf(raw)
	if err != nil {
		return err
	}
	var read metav1.Object
	var store cache.Store
	switch kind {
	case "Pod":
		read, store = &v1.Pod{}, c.pods.indexer
	case "StatefulSet":
		read, store = &appsv1.StatefulSet{}, c.sets.indexer
	case "PersistentVolumeClaim":
		read, store = &v1.PersistentVolumeClaim{}, c.claims.indexer
	case "ControllerRevision":
		read, store = &appsv1.ControllerRevision{}, c.revisions.indexer
	default:
		return fmt.Errorf("the harness showed an object of kind %q", kind)
	}
	if err := sigsjson.UnmarshalCaseSensitivePreserveInts(raw, read); err != nil {
		return err
	}
	if event == "DELETED" {
		return store.Delete(read)
	}
	return store.Update(read)
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

// reach notes the version that each cache has seen.
func (c *caches) reach(reached map[string]string) {
	c.pods.indexer.reached = reached["pods"]
	c.sets.indexer.reached = reached["statefulsets"]
	c.claims.indexer.reached = reached["persistentvolumeclaims"]
	c.revisions.indexer.reached = reached["controllerrevisions"]
}

// order notes how each cache lists: in the order of these names, or by name when there are none.
func (c *caches) order(names map[string][]string) {
	c.pods.indexer.order(names["pods"])
	c.sets.indexer.order(names["statefulsets"])
	c.claims.indexer.order(names["persistentvolumeclaims"])
	c.revisions.indexer.order(names["controllerrevisions"])
}

// informer is a shared informer that is never started, and whose store is ours. Its handlers hear nothing: events reach
// the harness's queue, which decides when to sync.
type informer struct {
	cache.SharedIndexInformer
	indexer *indexer
}

func newInformer(of runtime.Object) *informer {
	indexers := cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
	return &informer{
		SharedIndexInformer: cache.NewSharedIndexInformer(&cache.ListWatch{}, of, 0, cache.Indexers{}),
		indexer:             &indexer{Indexer: cache.NewIndexer(cache.MetaNamespaceKeyFunc, indexers)},
	}
}

func (i *informer) AddIndexers(added cache.Indexers) error { return i.indexer.AddIndexers(added) }
func (i *informer) GetIndexer() cache.Indexer              { return i.indexer }
func (i *informer) GetStore() cache.Store                  { return i.indexer }
func (i *informer) HasSynced() bool                        { return true }

// indexer lists in the order that the harness wants. That of a real one is that of a map: any.
type indexer struct {
	cache.Indexer
	reached string
	place   map[string]int
}

func (i *indexer) order(names []string) {
	i.place = nil
	if len(names) == 0 {
		return
	}
	i.place = make(map[string]int, len(names))
	for place, name := range names {
		i.place[name] = place
	}
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
	sort.Slice(objects, func(a, b int) bool {
		nameA, nameB := objects[a].(metav1.Object).GetName(), objects[b].(metav1.Object).GetName()
		if i.place != nil {
			return i.place[nameA] < i.place[nameB]
		}
		return nameA < nameB
	})
	return objects
}

type pods struct{ *informer }
type sets struct{ *informer }
type claims struct{ *informer }
type revisions struct{ *informer }

func (p pods) Informer() cache.SharedIndexInformer      { return p.informer }
func (s sets) Informer() cache.SharedIndexInformer      { return s.informer }
func (c claims) Informer() cache.SharedIndexInformer    { return c.informer }
func (r revisions) Informer() cache.SharedIndexInformer { return r.informer }

func (p pods) Lister() corelisters.PodLister { return corelisters.NewPodLister(p.indexer) }
func (s sets) Lister() appslisters.StatefulSetLister {
	return appslisters.NewStatefulSetLister(s.indexer)
}
func (c claims) Lister() corelisters.PersistentVolumeClaimLister {
	return corelisters.NewPersistentVolumeClaimLister(c.indexer)
}
func (r revisions) Lister() appslisters.ControllerRevisionLister {
	return appslisters.NewControllerRevisionLister(r.indexer)
}
