package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
)

// harness is the other end of the pipe. As the transport of the controller's client it hands every request over and waits
// for the answer; the controller makes one request at a time.
type harness struct {
	in      *bufio.Reader
	out     *bufio.Writer
	encoder *json.Encoder
	turn    int64    // the sync that calls belong to
	dead    bool     // the harness ended the process in the midst of it
	held    *message // what it sent instead of an answer
}

func newHarness(in io.Reader, out io.Writer) *harness {
	h := &harness{in: bufio.NewReaderSize(in, 1<<16), out: bufio.NewWriterSize(out, 1<<16)}
	h.encoder = json.NewEncoder(h.out)
	h.encoder.SetEscapeHTML(false)
	return h
}

// receive returns nothing at the end of the input.
func (h *harness) receive() (*message, error) {
	if held := h.held; held != nil {
		h.held = nil
		return held, nil
	}
	line, err := h.in.ReadBytes('\n')
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m := &message{}
	return m, json.Unmarshal(line, m)
}

func (h *harness) send(message any) {
	if err := h.encoder.Encode(message); err == nil {
		err = h.out.Flush()
	}
}

func (h *harness) begin(turn int64) { h.turn, h.dead = turn, false }
func (h *harness) ended() bool      { return h.dead }

type call struct {
	Method      string          `json:"method"`
	Path        string          `json:"path"`
	Query       string          `json:"query,omitempty"`
	ContentType string          `json:"contentType,omitempty"`
	Body        json.RawMessage `json:"body,omitempty"`
	Line        string          `json:"line,omitempty"`
}

var errDied = errors.New("the controller's process died in an earlier call")

// RoundTrip is one request of the controller's client.
func (h *harness) RoundTrip(request *http.Request) (*http.Response, error) {
	if strings.HasSuffix(request.URL.Path, "/events") { // some releases record them in the background, at any time
		return response(request, reply{Status: http.StatusCreated, Body: []byte(`{"kind":"Event","apiVersion":"v1"}`)}), nil
	}
	if h.dead {
		return nil, errDied
	}
	made := call{Method: request.Method, Path: request.URL.Path, Query: request.URL.RawQuery,
		ContentType: request.Header.Get("Content-Type"), Line: callingLine()}
	if request.Body != nil {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			return nil, err
		}
		made.Body = body
	}
	h.send(map[string]any{"type": "calls", "id": h.turn, "calls": []call{made}})
	answer, err := h.receive()
	if err != nil || answer == nil {
		h.dead = true
		return nil, fmt.Errorf("no answer from the harness: %w", errors.Join(err, errDied))
	}
	if answer.Type != "replies" || len(answer.Replies) != 1 {
		h.dead, h.held = true, answer
		return nil, errDied
	}
	return response(request, answer.Replies[0]), nil
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
