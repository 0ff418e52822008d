// SHA-256 checksums of files, and readers of them that a context ends.

package results

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
)

// Checksum returns the SHA-256 of what the reader yields, in hexadecimal digits, and its size in
// bytes, or the reader's error.
func Checksum(r io.Reader) (sum string, size int64, err error) {
	hash := sha256.New()
	if size, err = io.Copy(hash, r); err != nil {
		return "", 0, err
	}
	return hex.EncodeToString(hash.Sum(nil)), size, nil
}

// IsChecksum reports whether the text is a whole SHA-256 in hexadecimal digits.
func IsChecksum(text string) bool {
	bytes, err := hex.DecodeString(text)
	return err == nil && len(bytes) == sha256.Size
}

// UntilDone returns a reader of a source, whose reads must not block. When ctx is done, the reader
// returns the error of ctx.
func UntilDone(ctx context.Context, source io.Reader) io.Reader { return untilDone{ctx, source} }

type untilDone struct {
	ctx    context.Context
	source io.Reader
}

func (r untilDone) Read(to []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.source.Read(to)
}
