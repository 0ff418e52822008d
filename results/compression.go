// The compression of the pages of Parquet files.

package results

import (
	"sync"

	"github.com/klauspost/compress/zstd"
	parquetzstd "github.com/parquet-go/parquet-go/compress/zstd"
)

// pageWindow is the window size of the compression in bytes. It exceeds a page, which has some 256
// kB.
const pageWindow = 512 << 10

// compression is the Parquet library's zstd with a smaller window. Pages that fit into it are
// compressed to the same bytes. An encoder holds two windows, and the library's have 8 MB.
type compression struct {
	parquetzstd.Codec
	encoders sync.Pool
}

// codec is shared by all writers.
var codec compression

// Encode implements compress.Codec.
func (c *compression) Encode(dst, src []byte) ([]byte, error) {
	encoder, ok := c.encoders.Get().(*zstd.Encoder)
	if !ok {
		var err error
		if encoder, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(pageWindow),
			zstd.WithZeroFrames(true), zstd.WithEncoderCRC(false)); err != nil {
			return nil, err
		}
	}
	defer c.encoders.Put(encoder)
	return encoder.EncodeAll(src, dst[:0]), nil
}
