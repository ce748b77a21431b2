package adapter

import (
	"path"
	"runtime"
	"strconv"
	"strings"
)

const (
	builds   = "ordeal/adapter/" // whose package statefulset is the controller, in each build
	here     = "/statefulset."
	home     = "pkg/controller/statefulset/" // where it is in its repository
	deciding = home + "stateful_set_control.go"
	others   = "/pkg/controller/" // packages that it calls, by the paths of their files
)

// linesOf is what callingLine has found for a stack: the code that makes requests is short, and frames are slow to tell.
var linesOf = map[[64]uintptr]string{}

// callingLine is where the controller's code makes the present request, by the path from the root of its repository:
// "pkg/controller/statefulset/stateful_set_control.go:612". All writes of pods end in the same few lines of a helper; so it is
// the innermost line of the file that decides, when that is on the way, else the innermost of any controller. Empty when no
// controller is asking. One request at a time.
func callingLine() string {
	var counters [64]uintptr
	depth := runtime.Callers(2, counters[:])
	line, known := linesOf[counters]
	if !known {
		line = lineOf(runtime.CallersFrames(counters[:depth]))
		linesOf[counters] = line
	}
	return line
}

func lineOf(frames *runtime.Frames) string {
	innermost := ""
	for more := true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		file := fileOf(frame)
		if file == "" {
			continue
		}
		line := file + ":" + strconv.Itoa(frame.Line)
		if file == deciding {
			return line
		}
		if innermost == "" {
			innermost = line
		}
	}
	return innermost
}

// fileOf is empty for code of no controller.
func fileOf(frame runtime.Frame) string {
	if strings.HasPrefix(frame.Function, builds) && strings.Contains(frame.Function, here) {
		return home + path.Base(frame.File)
	}
	if at := strings.Index(frame.File, others); at >= 0 {
		return frame.File[at+1:]
	}
	return ""
}
