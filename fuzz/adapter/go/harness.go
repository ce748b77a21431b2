package adapter

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/client-go/rest"
)

// Harness is the other end of the pipe. As the transport of the controller's client it hands every request over and waits
// for the answer; goroutines that make requests at the same time wait for each other.
type Harness struct {
	one     sync.Mutex // request at a time
	in      *bufio.Scanner
	out     *bufio.Writer
	encoder *json.Encoder
	turn    turn                 // the present one, or the last
	held    *message             // what it sent instead of an answer
	caches  *Caches              // which take events in the midst of a sync, too
	beside  func(*message) error // runs the sync of another worker, while one waits for an answer
	said    []*message           // by an earlier one, in place of one that listens (loop.go)
	echoes  bool                 // and asks nobody (Kind.Warm)
}

// turn is the sync that calls belong to.
type turn struct {
	id     int64
	lasts  bool
	dead   bool // the harness ended the process in the midst of it
	called bool // it has made one
}

// A line of the harness is a list of a large set's pods at most.
const longest = 1 << 30

func newHarness(in io.Reader, out io.Writer) *Harness {
	h := &Harness{in: bufio.NewScanner(in), out: bufio.NewWriterSize(out, 1<<16)}
	h.in.Buffer(make([]byte, 1<<16), longest)
	h.encoder = json.NewEncoder(h.out)
	h.encoder.SetEscapeHTML(false)
	return h
}

// receive returns nothing at the end of the input. What it returns is valid until the next call.
func (h *Harness) receive() (*message, error) {
	if held := h.held; held != nil {
		h.held = nil
		return held, nil
	}
	if len(h.said) > 0 {
		next := h.said[0]
		h.said = h.said[1:]
		return next, nil
	}
	if !h.in.Scan() {
		return nil, h.in.Err()
	}
	if m := quickly(h.in.Bytes()); m != nil {
		return m, nil
	}
	m := &message{}
	return m, json.Unmarshal(h.in.Bytes(), m)
}

// quickly reads what most messages are, an event or one answer, without looking into the object that it carries: whoever
// wants that reads it all, and complains if it is none. Nil when the line is written in another way.
func quickly(line []byte) *message {
	if event, found := bytes.CutPrefix(line, []byte(`{"object":`)); found {
		for _, kind := range []string{"ADDED", "MODIFIED", "DELETED"} {
			if object, found := bytes.CutSuffix(event, []byte(`,"type":"`+kind+`"}`)); found {
				return &message{Type: kind, Object: object}
			}
		}
		return nil
	}
	_, answer, found := bytes.Cut(line, []byte(`,"replies":[{"body":`))
	answer, ends := bytes.CutSuffix(answer, []byte(`}],"type":"replies"}`))
	at := len(answer) - len(`,"status":000`)
	if !found || !ends || at < 0 || !bytes.HasPrefix(line, []byte(`{"id":`)) || !bytes.HasPrefix(answer[at:], []byte(`,"status":`)) {
		return nil
	}
	status, err := strconv.Atoi(string(answer[len(answer)-3:]))
	if err != nil {
		return nil
	}
	return &message{Type: "replies", Replies: []reply{{Status: status, Body: answer[:at]}}}
}

// Config is that of a client whose requests all go to the harness.
func (h *Harness) Config() *rest.Config {
	return &rest.Config{
		Host:          "http://harness",
		Transport:     h,
		QPS:           -1,
		ContentConfig: rest.ContentConfig{ContentType: "application/json"},
	}
}

// send writes one message. When nobody reads it any more, the next receive finds the end of the input.
func (h *Harness) send(message any) {
	if h.plays() {
		return
	}
	if err := h.encoder.Encode(message); err != nil {
		fmt.Fprintln(os.Stderr, "a message cannot be written:", err)
		os.Exit(1)
	}
	_ = h.out.Flush()
}

// begin returns the turn that this one interrupts, if that lasts.
func (h *Harness) begin(id int64) turn {
	interrupted := h.turn
	h.turn = turn{id: id, lasts: true}
	return interrupted
}

func (h *Harness) end(interrupted turn) {
	h.turn.lasts = false
	if interrupted.lasts {
		h.turn = interrupted
	}
}

func (h *Harness) plays() bool { return h.said != nil }

type calls struct {
	Type  string `json:"type"`
	ID    int64  `json:"id"`
	Calls []call `json:"calls"`
}

// call is a request but for its body.
type call struct {
	Method      string `json:"method"`
	Path        string `json:"path"`
	Query       string `json:"query,omitempty"`
	ContentType string `json:"contentType,omitempty"`
	Line        string `json:"line,omitempty"`
}

var errDied = errors.New("the controller's process died in an earlier call")

// errLost is no answer of the API server. Clients do not repeat such a call of their own accord, not even a read.
var errLost = errors.New("net/http: timeout awaiting response headers")

var events = regexp.MustCompile(`^/(api|apis/events\.k8s\.io)/v1/namespaces/[^/]+/events(/|$)`)

// RoundTrip is one request of the controller's client.
func (h *Harness) RoundTrip(request *http.Request) (*http.Response, error) {
	if events.MatchString(request.URL.Path) { // some releases record them in the background, at any time
		return response(request, reply{Status: http.StatusCreated, Body: []byte(`{"kind":"Event","apiVersion":"v1"}`)}), nil
	}
	if h.echoes {
		return echo(request)
	}
	h.one.Lock()
	defer h.one.Unlock()
	if h.turn.dead {
		return nil, errDied
	}
	h.turn.called = true
	if err := h.ask(request); err != nil {
		return nil, err
	}
	answer, err := h.answer()
	if err != nil || answer == nil {
		h.turn.dead = true
		return nil, fmt.Errorf("no answer from the harness: %w", errors.Join(err, errDied))
	}
	if answer.Type != "replies" || len(answer.Replies) != 1 {
		h.turn.dead, h.held = true, answer
		return nil, errDied
	}
	if answer.Replies[0].Status == 0 {
		return nil, errLost
	}
	return response(request, answer.Replies[0]), nil
}

// ask sends the request. Its body stands in the message as it is: to encode it once more would take as long as the controller
// took.
func (h *Harness) ask(request *http.Request) error {
	body, err := bodyOf(request)
	if err != nil || h.plays() {
		return err
	}
	made := call{Method: request.Method, Path: request.URL.Path, Query: request.URL.RawQuery,
		ContentType: request.Header.Get("Content-Type"), Line: callingLine()}
	asked, err := json.Marshal(&calls{Type: "calls", ID: h.turn.id, Calls: []call{made}})
	if err != nil {
		return err
	}
	const end = "}]}"
	_, _ = h.out.Write(bytes.TrimSuffix(asked, []byte(end)))
	if len(body) > 0 {
		_, _ = h.out.WriteString(`,"body":`)
		_, _ = h.out.Write(body)
	}
	_, _ = h.out.WriteString(end + "\n")
	_ = h.out.Flush()
	return nil
}

// bodyOf is in one line.
func bodyOf(request *http.Request) ([]byte, error) {
	if request.Body == nil {
		return nil, nil
	}
	body, err := io.ReadAll(request.Body)
	body = bytes.TrimSpace(body)
	if err != nil || len(body) == 0 {
		return nil, err
	}
	if !json.Valid(body) { // YAML, say: the harness says that it is not served
		return json.Marshal(string(body))
	}
	if bytes.IndexByte(body, '\n') < 0 {
		return body, nil
	}
	var line bytes.Buffer
	err = json.Compact(&line, body)
	return line.Bytes(), err
}

// echo is an answer that says what was asked.
func echo(request *http.Request) (*http.Response, error) {
	body := []byte(`{}`)
	if request.Body != nil {
		body, _ = io.ReadAll(request.Body)
	}
	return response(request, reply{Status: http.StatusOK, Body: body}), nil
}

// answer is the next message that is no event and no sync of another worker's.
func (h *Harness) answer() (*message, error) {
	for {
		m, err := h.receive()
		if m == nil || err != nil {
			return nil, err
		}
		if m.isEvent() {
			if err := h.caches.take(m.Type, m.Object, m.Unknown); err != nil {
				return nil, err
			}
			continue
		}
		if m.Type == "sync" {
			h.one.Unlock() // it makes requests, too
			err := h.beside(m)
			h.one.Lock()
			if err != nil {
				return nil, err
			}
			continue
		}
		if m.Type == "replies" && m.Reached != nil {
			h.caches.come(m)
		}
		return m, nil
	}
}

func response(request *http.Request, r reply) *http.Response {
	return &http.Response{
		StatusCode:    r.Status,
		Status:        http.StatusText(r.Status),
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        http.Header{"Content-Type": []string{"application/json"}},
		Body:          io.NopCloser(bytes.NewReader(r.Body)),
		ContentLength: int64(len(r.Body)),
		Request:       request,
	}
}

// statusOf is the answer that made a sync fail, when one did.
func statusOf(err error) (int32, string) {
	var many utilerrors.Aggregate
	if errors.As(err, &many) && len(many.Errors()) > 0 {
		err = many.Errors()[0]
	}
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		return status.Status().Code, string(status.Status().Reason)
	}
	return 0, ""
}
