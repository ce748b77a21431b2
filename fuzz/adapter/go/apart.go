//go:build !race

package adapter

// Apart is what a controller's `go run(i)` becomes: it runs at once, and to its end, so that equal trials make equal calls.
func Apart(run func(int)) func(int) { return run }

// whole is what do returns.
func whole(do func() error) error { return do() }

// newAside is where an informer's event handlers run.
func newAside() func(func()) { return func(do func()) { do() } }

// watchRaces returns nil: without Go's race detector nobody sees a data race.
func watchRaces() func() []string { return nil }
