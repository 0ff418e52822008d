// A FUSE file system in memory that records all changes and counts openings, for tests of power
// failures and of open files.

package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"sync"
	"syscall"
	"testing"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// requireFUSEEnv is set where FUSE is required: without it tests fail instead of being skipped.
const requireFUSEEnv = "GRIDSWEEP_REQUIRE_FUSE"

// recorder is a file system in memory that records every change in order.
type recorder struct {
	dir string // its mount point

	mu      sync.Mutex
	changes []change
	opened  int // number of openings of files for reading
	files   int // number of files and folders made so far; file 0 is the root folder
}

// change is one operation on the file system. One of written, names and synced is set; otherwise
// the file is truncated to no bytes.
type change struct {
	file    int
	written []byte // at offset
	offset  int64
	names   []entry // of a folder, changed atomically: two by a rename
	synced  bool
}

// entry is a name in a folder and the file that gets it.
type entry struct {
	name     string
	file     int // noFile if the name is removed
	isFolder bool
}

const noFile = -1

// record mounts a recorder, or skips the test if it cannot.
func record(t *testing.T) *recorder {
	t.Helper()
	r := &recorder{dir: t.TempDir()}
	options := &fs.Options{MountOptions: fuse.MountOptions{
		FsName: "recorder", Name: "recorder", DirectMountStrict: true, DisableXAttrs: true,
	}}
	server, err := fs.Mount(r.dir, r.node(syscall.S_IFDIR), options)
	if err != nil {
		if why := fmt.Sprintf("a FUSE file system cannot be mounted: %v", err); os.Getenv(requireFUSEEnv) != "" {
			t.Fatal(why)
		} else {
			t.Skip(why)
		}
	}
	t.Cleanup(func() {
		if err := server.Unmount(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// made returns the number of changes so far.
func (r *recorder) made() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.changes)
}

// openings returns the number of openings of files for reading so far.
func (r *recorder) openings() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.opened
}

func (r *recorder) keep(c change) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changes = append(r.changes, c)
}

// node is a file or folder of the recorder.
type node struct {
	fs.Inode
	recorder *recorder
	file     int

	mu   sync.Mutex
	mode uint32
	data []byte
}

func (r *recorder) node(mode uint32) *node {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := &node{recorder: r, file: r.files, mode: mode}
	r.files++
	return n
}

// add makes a file or folder in the folder.
func (n *node) add(ctx context.Context, name string, mode uint32) *fs.Inode {
	child := n.recorder.node(mode)
	n.recorder.keep(change{file: n.file, names: []entry{{name, child.file, mode&syscall.S_IFDIR != 0}}})
	return n.NewPersistentInode(ctx, child, fs.StableAttr{Mode: mode & syscall.S_IFMT})
}

func (n *node) Mkdir(ctx context.Context, name string, mode uint32, _ *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	return n.add(ctx, name, mode|syscall.S_IFDIR), 0
}

func (n *node) Create(
	ctx context.Context, name string, _ uint32, mode uint32, _ *fuse.EntryOut,
) (*fs.Inode, fs.FileHandle, uint32, syscall.Errno) {
	return n.add(ctx, name, mode|syscall.S_IFREG), nil, 0, 0
}

func (n *node) Link(_ context.Context, target fs.InodeEmbedder, name string, _ *fuse.EntryOut) (*fs.Inode,
	syscall.Errno) {
	to := target.(*node)
	n.recorder.keep(change{file: n.file, names: []entry{{name, to.file, false}}})
	return to.EmbeddedInode(), 0
}

// Rename refuses to move a file to another folder, since power failures during a move are not
// modelled.
func (n *node) Rename(_ context.Context, name string, folder fs.InodeEmbedder, to string, flags uint32) syscall.Errno {
	if folder.(*node) != n || flags != 0 {
		return syscall.EXDEV
	}
	file := n.GetChild(name).Operations().(*node).file
	n.recorder.keep(change{file: n.file, names: []entry{{name, noFile, false}, {to, file, false}}})
	return 0
}

func (n *node) Unlink(_ context.Context, name string) syscall.Errno {
	n.recorder.keep(change{file: n.file, names: []entry{{name, noFile, false}}})
	return 0
}

func (n *node) Rmdir(ctx context.Context, name string) syscall.Errno {
	if len(n.GetChild(name).Children()) > 0 {
		return syscall.ENOTEMPTY
	}
	return n.Unlink(ctx, name)
}

func (n *node) Open(context.Context, uint32) (fs.FileHandle, uint32, syscall.Errno) {
	n.recorder.mu.Lock()
	defer n.recorder.mu.Unlock()
	n.recorder.opened++
	return nil, 0, 0
}

func (n *node) Read(_ context.Context, _ fs.FileHandle, to []byte, offset int64) (fuse.ReadResult, syscall.Errno) {
	n.mu.Lock()
	defer n.mu.Unlock()
	from := min(int(offset), len(n.data))
	return fuse.ReadResultData(bytes.Clone(n.data[from:min(from+len(to), len(n.data))])), 0
}

func (n *node) Write(_ context.Context, _ fs.FileHandle, data []byte, offset int64) (uint32, syscall.Errno) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.recorder.keep(change{file: n.file, written: bytes.Clone(data), offset: offset})
	n.data = overwrite(n.data, data, offset)
	return uint32(len(data)), 0
}

// overwrite returns data with what is written at offset.
func overwrite(data, written []byte, offset int64) []byte {
	end := int(offset) + len(written)
	whole := make([]byte, max(len(data), end))
	copy(whole, data)
	copy(whole[offset:], written)
	return whole
}

// Fsync serves files and folders.
func (n *node) Fsync(context.Context, fs.FileHandle, uint32) syscall.Errno {
	n.recorder.keep(change{file: n.file, synced: true})
	return 0
}

func (n *node) Getattr(_ context.Context, _ fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	n.mu.Lock()
	defer n.mu.Unlock()
	// hard links need a link count above 0
	out.Mode, out.Size, out.Nlink = n.mode, uint64(len(n.data)), 1
	return 0
}

func (n *node) Setattr(
	ctx context.Context, f fs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut,
) syscall.Errno {
	n.mu.Lock()
	if mode, ok := in.GetMode(); ok {
		n.mode = n.mode&syscall.S_IFMT | mode&^syscall.S_IFMT
	}
	size, cut := in.GetSize()
	if cut && size == 0 {
		n.recorder.keep(change{file: n.file})
		n.data = nil
	}
	n.mu.Unlock()
	if cut && size > 0 {
		return syscall.ENOTSUP
	}
	return n.Getattr(ctx, f, out)
}
