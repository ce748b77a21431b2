// The StatefulSet controller of a Kubernetes release behind Ordeal's adapter protocol.
package main

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/kubernetes"
	// As kube-controller-manager does: without them nothing has defaults, to which revisions are compared since 1.35.
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"

	adapter "ordeal/adapter/go"
	"ordeal/adapter/kubernetes/statefulset"
)

// The release, put here by the linker.
var release = "unknown"

func main() {
	harness := adapter.NewHarness()
	client := kubernetes.NewForConfigOrDie(harness.Config())
	harness.Serve(adapter.Kind{
		Name:     "kubernetes " + release,
		Like:     "kubernetes@" + release,
		Gates:    utilfeature.DefaultMutableFeatureGate,
		GatesOn:  []string{"StatefulSetAutoDeletePVC"}, // an alpha in 1.24
		Handlers: true,
		Queue:    true,
		NewSet:   func() adapter.Object { return &appsv1.StatefulSet{} },
		Start: func(ctx context.Context, caches *adapter.Caches) adapter.Controller {
			return statefulset.NewOrdealDriver(ctx, pods{caches.Pods}, sets{caches.Sets}, claims{caches.Claims},
				revisions{caches.Revisions}, client)
		},
	})
}
