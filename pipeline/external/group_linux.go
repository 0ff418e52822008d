// Process groups on Linux.

package external

import (
	"os/exec"
	"syscall"
)

// setGroup makes the program the first of a process group, so that ctrl-C on the terminal does not
// reach it and all that it starts can be killed. The program is killed when gridsweep is.
func setGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// killGroup kills the program and what it has started.
func killGroup(command *exec.Cmd) { _ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
