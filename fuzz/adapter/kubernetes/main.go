// The StatefulSet controller of a Kubernetes release behind Ordeal's adapter protocol.
package main

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
		Warm:     func() { ask(client) },
		NewSet:   func() adapter.Object { return &appsv1.StatefulSet{} },
		Start: func(ctx context.Context, caches *adapter.Caches) adapter.Controller {
			return statefulset.NewOrdealDriver(ctx, pods{caches.Pods}, sets{caches.Sets}, claims{caches.Claims},
				revisions{caches.Revisions}, client)
		},
	})
}

// ask asks for one of everything that a batch of pods may ask for.
func ask(client kubernetes.Interface) {
	ctx, meta := context.Background(), metav1.ObjectMeta{Name: "web-0", Labels: map[string]string{"app": "web"},
		OwnerReferences: []metav1.OwnerReference{{Kind: "StatefulSet", Name: "web"}}}
	pods, claims := client.CoreV1().Pods("default"), client.CoreV1().PersistentVolumeClaims("default")
	pod, claim := &corev1.Pod{ObjectMeta: meta}, &corev1.PersistentVolumeClaim{ObjectMeta: meta}
	_, _ = pods.Create(ctx, pod, metav1.CreateOptions{})
	_, _ = pods.Update(ctx, pod, metav1.UpdateOptions{})
	_ = pods.Delete(ctx, pod.Name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{}})
	_, _ = claims.Create(ctx, claim, metav1.CreateOptions{})
	_, _ = claims.Update(ctx, claim, metav1.UpdateOptions{})
}
