package translate

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/intstr"

	kruisev1beta1 "github.com/openkruise/kruise/apis/apps/v1beta1"
)

const template = `{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"store","image":"store:1"}]}}`

func aSet(spec, status string) string {
	return `{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"web","uid":"7","resourceVersion":"5"},"spec":{"selector":` +
		`{"matchLabels":{"app":"web"}},"template":` + template + spec + `},"status":` + status + `}`
}

func shown(t *testing.T, object string) *kruisev1beta1.StatefulSet {
	t.Helper()
	bytes, err := Shown([]byte(object))
	if err != nil {
		t.Fatal(err)
	}
	set := &kruisev1beta1.StatefulSet{}
	if err := json.Unmarshal(bytes, set); err != nil {
		t.Fatal(err)
	}
	return set
}

func same(t *testing.T, what string, got []byte, err error, wanted string) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	var a, b any
	if err := errorsOf(json.Unmarshal(got, &a), json.Unmarshal([]byte(wanted), &b)); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("%s:\n%s\nnot\n%s", what, got, wanted)
	}
}

func errorsOf(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}

func TestASetSaysTheSame(t *testing.T) {
	set := shown(t, aSet(`,"replicas":3,"podManagementPolicy":"Parallel","minReadySeconds":9,"revisionHistoryLimit":2,"serviceName":"s",
		"ordinals":{"start":4},"reserveOrdinals":[5,9],"persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Delete","whenScaled":"Retain"},
		"volumeClaimTemplates":[{"metadata":{"name":"data"}}],
		"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":1,"maxUnavailable":"20%"}}`, `{}`))
	spec, rolling := set.Spec, set.Spec.UpdateStrategy.RollingUpdate
	if set.APIVersion != "apps.kruise.io/v1beta1" || set.Kind != "StatefulSet" || set.Name != "web" || set.UID != "7" || set.ResourceVersion != "5" {
		t.Errorf("another object: %+v", set.ObjectMeta)
	}
	if *spec.Replicas != 3 || spec.PodManagementPolicy != "Parallel" || *spec.RevisionHistoryLimit != 2 || spec.ServiceName != "s" ||
		spec.Ordinals.Start != 4 || !reflect.DeepEqual(spec.ReserveOrdinals, []intstr.IntOrString{intstr.FromInt32(5), intstr.FromInt32(9)}) || spec.PersistentVolumeClaimRetentionPolicy.WhenDeleted != "Delete" ||
		spec.PersistentVolumeClaimRetentionPolicy.WhenScaled != "Retain" || spec.VolumeClaimTemplates[0].Name != "data" ||
		spec.Template.Spec.Containers[0].Image != "store:1" || spec.Selector.MatchLabels["app"] != "web" {
		t.Errorf("another spec: %+v", spec)
	}
	if *rolling.Partition != 1 || rolling.MaxUnavailable.StrVal != "20%" || *rolling.MinReadySeconds != 9 {
		t.Errorf("another rolling update: %+v", rolling)
	}
	if rolling.PodUpdatePolicy != "ReCreate" || rolling.Paused || rolling.UnorderedUpdate != nil {
		t.Errorf("more than was said: %+v", spec)
	}
}

func TestTheWebhookFillsIn(t *testing.T) {
	spec := shown(t, aSet(`,"updateStrategy":{"type":"RollingUpdate"}`, `{}`)).Spec
	if *spec.Replicas != 1 || *spec.UpdateStrategy.RollingUpdate.Partition != 0 || spec.UpdateStrategy.RollingUpdate.MaxUnavailable.IntVal != 1 {
		t.Errorf("%+v", spec)
	}
	spec = shown(t, aSet(`,"updateStrategy":{"type":"OnDelete"}`, `{}`)).Spec
	if spec.UpdateStrategy.RollingUpdate != nil {
		t.Errorf("%+v", spec.UpdateStrategy)
	}
	spec = shown(t, aSet(`,"minReadySeconds":9,"updateStrategy":{"type":"OnDelete"}`, `{}`)).Spec
	if *spec.UpdateStrategy.RollingUpdate.MinReadySeconds != 9 {
		t.Errorf("%+v", spec.UpdateStrategy)
	}
}

func TestAStatusGoesThereAndBack(t *testing.T) {
	const status = `{"observedGeneration":2,"replicas":3,"readyReplicas":2,"availableReplicas":1,"currentReplicas":1,"updatedReplicas":2,
		"currentRevision":"web-1","updateRevision":"web-2","collisionCount":4}`
	set := shown(t, aSet("", status))
	if set.Status.LabelSelector != "app=web" {
		t.Errorf("a written status has a selector, not %q", set.Status.LabelSelector)
	}
	if fresh := shown(t, aSet("", `{}`)); fresh.Status.LabelSelector != "" {
		t.Errorf("nobody has written %q", fresh.Status.LabelSelector)
	}
	set.Status.UpdatedReadyReplicas = 2
	body, err := json.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	back, err := Asked(body)
	same(t, "a status", back, err, `{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"web","uid":"7","resourceVersion":"5",
		"creationTimestamp":null},"status":`+status+`}`)
}

func TestOwnersChangeTheirGroup(t *testing.T) {
	const object = `{"kind":"ControllerRevision","apiVersion":"apps/v1","metadata":{"name":"r","ownerReferences":[
		{"apiVersion":"apps/v1","kind":"StatefulSet","name":"web","uid":"7","controller":true},
		{"apiVersion":"apps.kruise.io/v1beta1","kind":"StatefulSet","name":"web","uid":"8"},
		{"apiVersion":"apps/v1beta2","kind":"StatefulSet","name":"web","uid":"6"},
		{"apiVersion":"apps/v1","kind":"DaemonSet","name":"web","uid":"9"}]},"data":{"b":"<&>","a":1},"revision":1}`
	const other = `{"kind":"ControllerRevision","apiVersion":"apps/v1","metadata":{"name":"r","ownerReferences":[
		{"apiVersion":"apps.kruise.io/v1beta1","kind":"StatefulSet","name":"web","uid":"7","controller":true},
		{"apiVersion":"apps/v1","kind":"StatefulSet","name":"web","uid":"8"},
		{"apiVersion":"apps.kruise.io/v1alpha1","kind":"StatefulSet","name":"web","uid":"6"},
		{"apiVersion":"apps/v1","kind":"DaemonSet","name":"web","uid":"9"}]},"data":{"b":"<&>","a":1},"revision":1}`
	to, err := Shown([]byte(object))
	same(t, "shown", to, err, other)
	if !bytes.Contains(to, []byte(`"data":{"b":"<&>","a":1}`)) {
		t.Errorf("the data is written in another way: %s", to)
	}
	back, err := Asked(to)
	same(t, "asked", back, err, object)
	release := `{"metadata":{"uid":"3","ownerReferences":[{"$patch":"delete","uid":"7"}]}}`
	patch, err := Asked([]byte(release))
	same(t, "a release", patch, err, release)
	options := `{"kind":"DeleteOptions","apiVersion":"v1"}`
	deletion, err := Asked([]byte(options))
	same(t, "a deletion", deletion, err, options)
}

func TestMarksOfPodsStayOnThisSide(t *testing.T) {
	const pod = `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-0","labels":{"app":"web","lifecycle.apps.kruise.io/state":"Normal"},
		"annotations":{"lifecycle.apps.kruise.io/timestamp":"2026-01-01T00:00:00Z"}},"spec":{}}`
	asked, err := Asked([]byte(pod))
	same(t, "a pod", asked, err, `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-0","labels":{"app":"web"}},"spec":{}}`)
}

// server answers with what it was asked.
type server struct{ path string }

func (s *server) RoundTrip(request *http.Request) (*http.Response, error) {
	s.path = request.URL.Path
	body := aSet("", `{"replicas":2}`)
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

func TestTransportAsksForSetsOfTheHarness(t *testing.T) {
	harness := &server{}
	request, _ := http.NewRequest("GET", "http://harness/apis/apps.kruise.io/v1beta1/namespaces/default/statefulsets/web", nil)
	response, err := Transport{harness}.RoundTrip(request)
	if err != nil || harness.path != "/apis/apps/v1/namespaces/default/statefulsets/web" {
		t.Fatalf("asked for %s: %v", harness.path, err)
	}
	body, _ := io.ReadAll(response.Body)
	if set := shown(t, aSet("", `{"replicas":2}`)); !bytes.Contains(body, []byte(set.APIVersion)) || request.URL.Path == harness.path {
		t.Errorf("answered %s", body)
	}
}
