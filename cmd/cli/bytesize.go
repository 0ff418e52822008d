// Flags of sizes in bytes, such as 2GB.

package cli

import (
	"errors"
	"strconv"
	"strings"

	"gridsweep/pipeline/batch"
)

// byteSize is a number of bytes as a flag, in the notation of Slurm but always with a unit. It is a
// pflag.Value; 0 means that the flag is not set.
type byteSize int64

const byteUnits = "KMGT"

func (b *byteSize) String() string {
	n, unit := int64(*b), -1
	for unit < len(byteUnits)-1 && n > 0 && n%1024 == 0 {
		n /= 1024
		unit++
	}
	if unit < 0 {
		return strconv.FormatInt(n, 10)
	}
	return strconv.FormatInt(n, 10) + byteUnits[unit:unit+1]
}

func (b *byteSize) Set(text string) error {
	memory, err := batch.ParseMemory(text)
	if err != nil || memory.Bytes == 0 || !strings.ContainsAny(strings.ToUpper(text), byteUnits) {
		return errors.New("write a whole number above 0 and its unit, K, M, G or T, such as 500M or 2G")
	}
	*b = byteSize(memory.Bytes)
	return nil
}

func (b *byteSize) Type() string { return "size" }
