package main

import (
	appslisters "k8s.io/client-go/listers/apps/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"

	adapter "ordeal/adapter/go"
)

// The caches as the controller's constructor wants them: an informer of each kind with its lister.
type pods struct{ held *adapter.Informer }
type sets struct{ held *adapter.Informer }
type claims struct{ held *adapter.Informer }
type revisions struct{ held *adapter.Informer }

func (p pods) Informer() cache.SharedIndexInformer      { return p.held }
func (s sets) Informer() cache.SharedIndexInformer      { return s.held }
func (c claims) Informer() cache.SharedIndexInformer    { return c.held }
func (r revisions) Informer() cache.SharedIndexInformer { return r.held }

func (p pods) Lister() corelisters.PodLister { return corelisters.NewPodLister(p.held.GetIndexer()) }
func (s sets) Lister() appslisters.StatefulSetLister {
	return appslisters.NewStatefulSetLister(s.held.GetIndexer())
}
func (c claims) Lister() corelisters.PersistentVolumeClaimLister {
	return corelisters.NewPersistentVolumeClaimLister(c.held.GetIndexer())
}
func (r revisions) Lister() appslisters.ControllerRevisionLister {
	return appslisters.NewControllerRevisionLister(r.held.GetIndexer())
}
