package adapter

import (
	"fmt"
	"hash/fnv"
	_ "unsafe" // for linkname
)

// mapOffset is at which of its entries the walk of a map begins, modulo their number or more (ci/upstream).
//
//go:linkname mapOffset internal/runtime/maps.ordealOffset
var mapOffset uint64

// walkMaps has maps walked from elsewhere in each turn whose lists are shuffled, and otherwise from the entry that was added first.
// Small maps have eight slots, of which the first are filled: an offset below four mostly finds one of them.
func walkMaps(m *message) {
	mapOffset = 0
	if len(m.Order) == 0 {
		return
	}
	sum := fnv.New64a()
	for _, resource := range []string{"pods", "statefulsets", "persistentvolumeclaims", "controllerrevisions"} {
		fmt.Fprintln(sum, m.Time, m.Reached[resource], m.Order[resource])
	}
	mapOffset = sum.Sum64() % 4
}
