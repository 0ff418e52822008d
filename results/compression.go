package results

import (
	"sync"

	"github.com/klauspost/compress/zstd"
	parquetzstd "github.com/parquet-go/parquet-go/compress/zstd"
)

// pageWindow is how far back the compression of a page may refer: as far as a page reaches, which
// is some 256 kB.
const pageWindow = 512 << 10

// compression is the Parquet library's zstd with a window of that size, which gives the same bytes
// for pages that fit it. An encoder holds two windows, and the library's are of 8 MB.
type compression struct {
	parquetzstd.Codec
	encoders sync.Pool
}

// compressed is shared by all that write.
var compressed compression

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
