// Process groups on Windows.

package external

import (
	"os/exec"
	"syscall"
)

// setGroup makes the program the first of a process group, so that ctrl-C on the terminal does not
// reach it.
func setGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// killGroup kills the program. What it has started goes on.
func killGroup(command *exec.Cmd) { _ = command.Process.Kill() }
