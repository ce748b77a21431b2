package adapter

import (
	"reflect"
	"unsafe"
)

// Field is what the struct that `of` points to has under a name that is not exported, such as a queue's rate limiter.
func Field(of interface{}, name string) interface{} {
	field := reflect.ValueOf(of).Elem().FieldByName(name)
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem().Interface()
}
