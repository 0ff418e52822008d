// Compression tests: pages with the same bytes as the library's.

package results

import (
	"bytes"
	"strconv"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// Pages have the same bytes as with the library's larger window, also if they have several blocks.
func TestCompressionIsTheLibrarys(t *testing.T) {
	var page []byte
	for i := 0; len(page) < 300_000; i++ {
		page = strconv.AppendInt(page, int64(i*i%7919), 10)
	}
	for _, size := range []int{0, 1, 1000, 128 << 10, 256 << 10, len(page)} {
		want, err := parquet.Zstd.Encode(nil, page[:size])
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second time with an encoder that was used
			have, err := codec.Encode(nil, page[:size])
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(have, want) {
				t.Errorf("%d bytes become %d, want the same %d as the library's", size, len(have), len(want))
			}
		}
	}
}
