package adapter

import (
	"io"
	"runtime"
	"syscall"
	"unsafe"
)

// pipe is one of our standard streams, waited for without telling Go's scheduler: nothing else has to run while the harness
// thinks, and to give its one thread away and take it back costs more than the message.
type pipe uintptr

func (p pipe) Read(into []byte) (int, error) {
	n, err := p.call(syscall.SYS_READ, into)
	if n == 0 && err == nil && len(into) > 0 {
		return 0, io.EOF
	}
	return n, err
}

func (p pipe) Write(bytes []byte) (int, error) {
	for written := 0; written < len(bytes); {
		n, err := p.call(syscall.SYS_WRITE, bytes[written:])
		if err != nil {
			return written, err
		}
		written += n
	}
	return len(bytes), nil
}

func (p pipe) call(which uintptr, bytes []byte) (int, error) {
	if len(bytes) == 0 {
		return 0, nil
	}
	for {
		n, _, err := syscall.RawSyscall(which, uintptr(p), uintptr(unsafe.Pointer(&bytes[0])), uintptr(len(bytes)))
		switch err {
		case 0:
			return int(n), nil
		case syscall.EINTR:
		case syscall.EAGAIN: // somebody gave us a stream that does not wait
			runtime.Gosched()
		default:
			return 0, err
		}
	}
}
