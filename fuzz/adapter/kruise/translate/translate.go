// Package translate stands between an OpenKruise controller and a harness that knows StatefulSets of apps/v1 only.
//
// Every set is shown as the Advanced StatefulSet that says the same, with what its own webhook would fill in, and its status
// comes back as that of a set. Owners of this kind change their group on the way, in both directions: a set of the other
// group, which somebody else controls, stays one of the other group. What only OpenKruise has is left at its defaults, but
// for reserved ordinals, which the harness knows, too.
//
// A status has fields that apps/v1 has no place for. One of them counts: the controller writes the status when its label
// selector is missing, so a status that some controller has written is shown with it. And the controller marks a pod that it makes
// with the state of its life, Normal, and when it set it. The harness would take that for a part of some template, so it is left
// out; without hooks, which apps/v1 cannot ask for, a pod without the mark is treated as one that has it.
package translate

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/openkruise/kruise/apis/apps/defaults"
	kruisev1beta1 "github.com/openkruise/kruise/apis/apps/v1beta1"
)

const (
	ours, theirs         = "apps/v1", "apps.kruise.io/v1beta1"
	oursOnce, theirsOnce = "apps/v1beta2", "apps.kruise.io/v1alpha1"
	kind                 = "StatefulSet"
	ourPaths, theirPaths = "/apis/" + ours + "/", "/apis/" + theirs + "/"
	mark                 = "lifecycle.apps.kruise.io/"
)

// extension is what the harness says of a set beside what apps/v1 knows.
type extension struct {
	Spec struct {
		ReserveOrdinals []intstr.IntOrString `json:"reserveOrdinals"`
	} `json:"spec"`
}

// Shown is what OpenKruise's API server would serve in place of an object of the harness.
func Shown(object []byte) ([]byte, error) {
	var like metav1.TypeMeta
	if err := json.Unmarshal(object, &like); err != nil {
		return nil, err
	}
	if like.Kind != kind {
		return withMetadata(object, regroup)
	}
	var set appsv1.StatefulSet
	var more extension
	if err := errors.Join(json.Unmarshal(object, &set), json.Unmarshal(object, &more)); err != nil {
		return nil, err
	}
	shown := advanced(&set)
	shown.Spec.ReserveOrdinals = more.Spec.ReserveOrdinals
	return encode(shown)
}

// Asked is what the harness is sent in place of an object, a patch or the options of a deletion.
func Asked(body []byte) ([]byte, error) {
	var like metav1.TypeMeta
	if err := json.Unmarshal(body, &like); err != nil {
		return nil, err
	}
	if like.Kind != kind {
		return withMetadata(body, func(metadata members) error { return errors.Join(regroup(metadata), unmark(metadata)) })
	}
	var set kruisev1beta1.StatefulSet
	if err := json.Unmarshal(body, &set); err != nil {
		return nil, err
	}
	return encode(written(&set))
}

// Transport carries the requests of OpenKruise's clients To the harness.
type Transport struct{ To http.RoundTripper }

func (t Transport) RoundTrip(request *http.Request) (*http.Response, error) {
	asked := request.Clone(request.Context())
	if rest, found := strings.CutPrefix(asked.URL.Path, theirPaths); found {
		asked.URL.Path = ourPaths + rest
	}
	if request.Body != nil {
		body, err := translated(request.Body, Asked)
		if err != nil {
			return nil, err
		}
		asked.Body, asked.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	}
	response, err := t.To.RoundTrip(asked)
	if err != nil {
		return nil, err
	}
	body, err := translated(response.Body, Shown)
	if err != nil {
		return nil, err
	}
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	response.Header.Set("Content-Length", strconv.Itoa(len(body)))
	response.Request = request
	return response, nil
}

func translated(from io.ReadCloser, translate func([]byte) ([]byte, error)) ([]byte, error) {
	body, err := io.ReadAll(from)
	if err != nil || len(body) == 0 {
		return body, err
	}
	return translate(body)
}

// advanced is the set as OpenKruise would store it: minReadySeconds and maxUnavailable are parts of the rolling update there.
// With another strategy its webhook refuses that block, and so minReadySeconds; its controller reads it all the same.
func advanced(set *appsv1.StatefulSet) *kruisev1beta1.StatefulSet {
	spec := set.Spec.DeepCopy()
	out := &kruisev1beta1.StatefulSet{
		TypeMeta:   metav1.TypeMeta{APIVersion: theirs, Kind: kind},
		ObjectMeta: *set.ObjectMeta.DeepCopy(),
		Spec: kruisev1beta1.StatefulSetSpec{
			Replicas:             spec.Replicas,
			Selector:             spec.Selector,
			Template:             spec.Template,
			VolumeClaimTemplates: spec.VolumeClaimTemplates,
			ServiceName:          spec.ServiceName,
			PodManagementPolicy:  spec.PodManagementPolicy,
			UpdateStrategy:       kruisev1beta1.StatefulSetUpdateStrategy{Type: spec.UpdateStrategy.Type},
			RevisionHistoryLimit: spec.RevisionHistoryLimit,
		},
		Status: shownStatus(set),
	}
	if rolling := spec.UpdateStrategy.RollingUpdate; rolling != nil {
		out.Spec.UpdateStrategy.RollingUpdate = &kruisev1beta1.RollingUpdateStatefulSetStrategy{
			Partition: rolling.Partition, MaxUnavailable: rolling.MaxUnavailable}
	}
	if spec.MinReadySeconds != 0 {
		if out.Spec.UpdateStrategy.RollingUpdate == nil {
			out.Spec.UpdateStrategy.RollingUpdate = &kruisev1beta1.RollingUpdateStatefulSetStrategy{}
		}
		out.Spec.UpdateStrategy.RollingUpdate.MinReadySeconds = &spec.MinReadySeconds
	}
	if policy := spec.PersistentVolumeClaimRetentionPolicy; policy != nil {
		out.Spec.PersistentVolumeClaimRetentionPolicy = &kruisev1beta1.StatefulSetPersistentVolumeClaimRetentionPolicy{
			WhenDeleted: kruisev1beta1.PersistentVolumeClaimRetentionPolicyType(policy.WhenDeleted),
			WhenScaled:  kruisev1beta1.PersistentVolumeClaimRetentionPolicyType(policy.WhenScaled)}
	}
	if spec.Ordinals != nil {
		out.Spec.Ordinals = &kruisev1beta1.StatefulSetOrdinals{Start: spec.Ordinals.Start}
	}
	const templatesToo = false // the harness has filled in those
	defaults.SetDefaultsStatefulSet(out, templatesToo)
	return out
}

func shownStatus(set *appsv1.StatefulSet) kruisev1beta1.StatefulSetStatus {
	status := set.Status.DeepCopy()
	out := kruisev1beta1.StatefulSetStatus{
		ObservedGeneration: status.ObservedGeneration,
		Replicas:           status.Replicas,
		ReadyReplicas:      status.ReadyReplicas,
		AvailableReplicas:  status.AvailableReplicas,
		CurrentReplicas:    status.CurrentReplicas,
		UpdatedReplicas:    status.UpdatedReplicas,
		CurrentRevision:    status.CurrentRevision,
		UpdateRevision:     status.UpdateRevision,
		CollisionCount:     status.CollisionCount,
		Conditions:         status.Conditions,
	}
	if selector, err := metav1.LabelSelectorAsSelector(set.Spec.Selector); err == nil && status.ObservedGeneration > 0 {
		out.LabelSelector = selector.String()
	}
	return out
}

// status is all of a set that a controller writes.
type status struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Status            appsv1.StatefulSetStatus `json:"status"`
}

func written(set *kruisev1beta1.StatefulSet) *status {
	return &status{
		TypeMeta:   metav1.TypeMeta{APIVersion: ours, Kind: kind},
		ObjectMeta: set.ObjectMeta,
		Status: appsv1.StatefulSetStatus{
			ObservedGeneration: set.Status.ObservedGeneration,
			Replicas:           set.Status.Replicas,
			ReadyReplicas:      set.Status.ReadyReplicas,
			AvailableReplicas:  set.Status.AvailableReplicas,
			CurrentReplicas:    set.Status.CurrentReplicas,
			UpdatedReplicas:    set.Status.UpdatedReplicas,
			CurrentRevision:    set.Status.CurrentRevision,
			UpdateRevision:     set.Status.UpdateRevision,
			CollisionCount:     set.Status.CollisionCount,
			Conditions:         set.Status.Conditions,
		},
	}
}

type members map[string]json.RawMessage

// withMetadata changes the metadata. All else stays as it is, byte for byte: the data of a revision has to.
func withMetadata(body []byte, change func(members) error) ([]byte, error) {
	var object, metadata members
	if err := json.Unmarshal(body, &object); err != nil {
		return nil, err
	}
	if object["metadata"] == nil {
		return body, nil
	}
	err := json.Unmarshal(object["metadata"], &metadata)
	if err == nil {
		err = change(metadata)
	}
	if err == nil {
		object["metadata"], err = encode(metadata)
	}
	if err != nil {
		return nil, err
	}
	return encode(object)
}

// regroup gives each owner that is a set of one of the two groups the other, in its newest version or the one before.
func regroup(metadata members) error {
	const key = "ownerReferences"
	if metadata[key] == nil {
		return nil
	}
	var owners []map[string]any
	if err := json.Unmarshal(metadata[key], &owners); err != nil {
		return err
	}
	others := map[any]string{ours: theirs, theirs: ours, oursOnce: theirsOnce, theirsOnce: oursOnce}
	for _, owner := range owners {
		if other, found := others[owner["apiVersion"]]; found && owner["kind"] == kind {
			owner["apiVersion"] = other
		}
	}
	var err error
	metadata[key], err = encode(owners)
	return err
}

// unmark takes away what the controller has marked a pod with.
func unmark(metadata members) error {
	for _, key := range []string{"labels", "annotations"} {
		var texts map[string]string
		if metadata[key] == nil || !bytes.Contains(metadata[key], []byte(mark)) {
			continue
		}
		if err := json.Unmarshal(metadata[key], &texts); err != nil {
			return err
		}
		for text := range texts {
			if strings.HasPrefix(text, mark) {
				delete(texts, text)
			}
		}
		delete(metadata, key)
		if len(texts) == 0 {
			continue
		}
		var err error
		if metadata[key], err = encode(texts); err != nil {
			return err
		}
	}
	return nil
}

// encode escapes nothing for HTML: what was not escaped before is not to be now.
func encode(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}
