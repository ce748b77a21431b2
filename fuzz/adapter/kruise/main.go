// The Advanced StatefulSet controller of an OpenKruise release behind Ordeal's adapter protocol.
package main

import (
	"context"

	"k8s.io/client-go/kubernetes"

	kruisev1beta1 "github.com/openkruise/kruise/apis/apps/v1beta1"
	kruiseclient "github.com/openkruise/kruise/pkg/client/clientset/versioned"
	utilfeature "github.com/openkruise/kruise/pkg/util/feature"

	adapter "ordeal/adapter/go"
	"ordeal/adapter/kruise/statefulset"
	"ordeal/adapter/kruise/translate"
)

// The release, put here by the linker.
var release = "unknown"

func main() {
	harness := adapter.NewHarness()
	config := harness.Config()
	config.Transport = translate.Transport{To: harness}
	client, kruise := kubernetes.NewForConfigOrDie(config), kruiseclient.NewForConfigOrDie(config)
	harness.Serve(adapter.Kind{
		Name:    "kruise " + release,
		Gates:   utilfeature.DefaultMutableFeatureGate,
		GatesOn: []string{"StatefulSetAutoDeletePVC", "StatefulSetStartOrdinal"}, // the second an alpha in 1.8
		NewSet:  func() adapter.Object { return &kruisev1beta1.StatefulSet{} },
		Shown:   translate.Shown,
		Start: func(_ context.Context, caches *adapter.Caches) adapter.Controller {
			return statefulset.NewOrdealDriver(caches.Pods.GetIndexer(), caches.Sets.GetIndexer(), caches.Claims.GetIndexer(),
				caches.Revisions.GetIndexer(), client, kruise)
		},
	})
}
