//go:build race

package adapter

import (
	"fmt"
	"io"
	"os"
	"path"
	"regexp"
	"runtime"
	"sort"
	"strings"
	"syscall"
)

// Apart is what a controller's `go run(i)` becomes: it runs in a goroutine of its own, at once and to its end, so that equal trials
// make equal calls. That it had ended before the next one began is hidden from the race detector, to which they run side by side.
func Apart(run func(int)) func(int) {
	return func(i int) {
		ended := make(chan interface{})
		go func() {
			cause := caught(func() { run(i) })
			unseen(func() { ended <- cause })
		}()
		goOn(ended)
	}
}

// whole is what do returns, in a goroutine of its own: where a panic was recovered from, the race detector goes on with the frames that
// it left as callers, and ends the process when there are too many.
func whole(do func() error) error {
	ended := make(chan error)
	go func() { ended <- do() }()
	return <-ended
}

// newAside is where an informer's event handlers run: a goroutine of its own. That it comes to an end of what it was given before
// anything else goes on is hidden from the race detector; that it was given it is not.
func newAside() func(func()) {
	given, ended := make(chan func(), 1), make(chan interface{})
	go func() {
		for do := range given {
			cause := caught(do)
			unseen(func() { ended <- cause })
		}
	}()
	return func(do func()) {
		given <- do
		goOn(ended)
	}
}

// caught is what it panicked with, or nil.
func caught(do func()) (cause interface{}) {
	defer func() { cause = recover() }()
	do()
	return nil
}

// goOn waits for a goroutine, and panics as that did.
func goOn(ended chan interface{}) {
	var cause interface{}
	unseen(func() { cause = <-ended })
	if cause != nil {
		panic(cause)
	}
}

// unseen hides from the race detector that what happens in do comes before or after anything.
func unseen(do func()) {
	runtime.RaceDisable()
	defer runtime.RaceEnable()
	do()
}

const (
	most     = 8 // are told of one turn
	detector = "GORACE"
	// A race is told of each time that it is seen, since each trial is judged by itself.
	always = " exitcode=0 atexit_sleep_ms=0 suppress_equal_stacks=0 suppress_equal_addresses=0"
)

// watchRaces returns what tells the data races since it was asked last, each by the lines that use the same memory, and each once.
// The detector writes its reports into a file whose name it has to be told before the process starts, so it may start anew.
func watchRaces() func() []string {
	name := os.TempDir() + "/ordeal-races"
	if told := "log_path=" + name + always; os.Getenv(detector) != told {
		os.Setenv(detector, told)
		err := syscall.Exec("/proc/self/exe", os.Args, os.Environ())
		fmt.Fprintln(os.Stderr, "the race detector cannot be told where to write:", err)
		os.Exit(1)
	}
	told, reports := 0, new(os.File)
	return func() []string {
		races := []string{}
		if runtime.RaceErrors() == told {
			return races
		}
		if told == 0 {
			reports = takenAway(fmt.Sprintf("%s.%d", name, os.Getpid()))
		}
		told = runtime.RaceErrors()
		text, _ := io.ReadAll(reports)
		all := strings.Split(string(text), "WARNING: DATA RACE")[1:]
		if len(all) > most {
			all = all[:most]
		}
		for _, report := range all {
			if race := accesses(report); !contains(races, race) {
				races = append(races, race)
			}
		}
		return races
	}
}

// takenAway is the file of that name, open, and without its name: whoever has opened it goes on writing to it.
func takenAway(name string) *os.File {
	file, err := os.Open(name)
	if err == nil {
		err = os.Remove(name)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "what the race detector wrote cannot be read:", err)
		os.Exit(1)
	}
	return file
}

var (
	access = regexp.MustCompile(`(?mi)^(?:Previous )?(?:atomic )?(\w+) at 0x[0-9a-f]+ by .*:\n((?:  .*\n)+)`)
	frame  = regexp.MustCompile(`(?m)^  (\S.*)\(\)\n      (.*):(\d+)`)
)

// accesses of a report: "read at pkg/controller/statefulset/stateful_set_utils.go:348, write at ...". The line is the innermost of a
// controller, or of anything if there is none.
func accesses(report string) string {
	var found []string
	for _, one := range access.FindAllStringSubmatch(report, 2) {
		where := ""
		for _, f := range frame.FindAllStringSubmatch(one[2], -1) {
			file := fileOf(runtime.Frame{Function: f[1], File: f[2]})
			if file != "" {
				where = file + ":" + f[3]
				break
			}
			if where == "" {
				where = path.Base(f[2]) + ":" + f[3]
			}
		}
		found = append(found, strings.ToLower(one[1])+" at "+where)
	}
	sort.Strings(found)
	return strings.Join(found, ", ")
}

func contains(texts []string, text string) bool {
	for _, one := range texts {
		if one == text {
			return true
		}
	}
	return false
}
