package main

import (
	"fmt"
	"strconv"
	"strings"
)

// byteSize is a number of bytes as a flag, written as Slurm does: a whole number and K, M, G or T, each 1024 times the
// one before. It is a pflag.Value; 0 is none.
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
	unit := -1
	if text != "" {
		unit = strings.IndexByte(byteUnits, text[len(text)-1]&^0x20) // small letters too
	}
	if unit >= 0 {
		n, err := strconv.ParseInt(text[:len(text)-1], 10, 64)
		shift := 10 * (unit + 1)
		if err == nil && n > 0 && n <= 1<<(62-shift) {
			*b = byteSize(n << shift)
			return nil
		}
	}
	return fmt.Errorf("write a whole number above 0 and its unit, K, M, G or T, such as 500M or 2G")
}

func (b *byteSize) Type() string { return "size" }
