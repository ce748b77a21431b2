package adapter

import (
	"reflect"
	"time"
	"unsafe"
)

// Field is what the struct that `of` points to has under a name that is not exported, such as a queue's rate limiter.
func Field(of interface{}, name string) interface{} {
	field := reflect.ValueOf(of).Elem().FieldByName(name)
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem().Interface()
}

var gone time.Duration

// Unhurried asks a limiter, for which time goes on from question to question. The turns of a trial follow each other with no
// time between them, and an overall rate would be exceeded by no fault of the controller's.
func Unhurried(when func() time.Duration) time.Duration {
	now := time.OrdealNow
	gone += 10 * time.Minute
	moment := now().Add(gone)
	time.OrdealNow = func() time.Time { return moment }
	defer func() { time.OrdealNow = now }()
	return when()
}
