// Names along a horizontal axis: turned or shortened until they have room.

package draw

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// fitNames chooses how the names of a category axis stand: horizontally in one line or broken into
// lines, or upright. Where not all have room upright, every k-th is shown, horizontally if it then
// has room.
func fitNames(style *text.Style, ticks []tick, width vg.Length) {
	const longest = 2 * vg.Inch // of an upright name
	const mostBroken = 2.2      // rooms that the widest name may take to be broken into lines
	const between = vg.Length(5)
	room := width/vg.Length(max(len(ticks), 1)) - between // of each name
	widest := vg.Length(0)
	for i := range ticks {
		ticks[i].label = clean(ticks[i].label)
		widest = max(widest, style.Width(ticks[i].label))
	}
	if widest <= room {
		return
	}
	if lines := breakNames(*style, ticks, room); lines != nil && widest <= mostBroken*room {
		for i := range ticks {
			ticks[i].label = lines[i]
		}
		return
	}
	everyFor := func(each vg.Length) int { return int(math.Ceil(float64(each * vg.Length(len(ticks)) / width))) }
	every := everyFor(style.Font.Size) // an upright name takes the height of the font
	isHorizontal := everyFor(widest+between) <= every
	for i := range ticks {
		switch {
		case i%every != 0:
			ticks[i].label = ""
		case !isHorizontal:
			ticks[i].label = shorten(*style, ticks[i].label, longest) + "  " // a gap to the axis
		}
	}
	if isHorizontal {
		return
	}
	style.Rotation = math.Pi / 2
	style.XAlign, style.YAlign = draw.XRight, draw.YCenter
}

// breakNames returns the names broken into lines, all into the same number, so that they stand at
// one height; nil if a name has a piece that is wider than the room.
func breakNames(style text.Style, ticks []tick, room vg.Length) []string {
	names := make([]string, len(ticks))
	most := 0
	for i, tick := range ticks {
		pieces := piecesWithin(style, tick.label, room)
		if pieces == nil {
			return nil
		}
		names[i] = linesOf(style, pieces, room, 3)
		most = max(most, strings.Count(names[i], "\n"))
	}
	for i, name := range names {
		names[i] += strings.Repeat("\n ", most-strings.Count(name, "\n"))
	}
	return names
}

// piecesWithin cuts a name into pieces of at most the width, at hyphens and underscores only if
// that is needed; nil if it cannot be cut so.
func piecesWithin(style text.Style, name string, width vg.Length) []string {
	for _, joints := range []string{"", "+/", "+/-", "+/-_"} {
		pieces := namePieces(name, joints)
		isWider := func(piece string) bool { return style.Width(strings.TrimRight(piece, " ")) > width }
		if !slices.ContainsFunc(pieces, isWider) {
			return pieces
		}
	}
	return nil
}

// namePieces cuts a name where a line may end: after a space and, between letters, after one of the
// joints, such as the plus in ArCb+earliest-ask. The pieces joined are the name.
func namePieces(name, joints string) []string {
	var pieces []string
	runes := []rune(name)
	from := 0
	for i, r := range runes {
		isJoint := strings.ContainsRune(joints, r) && i > 0 && i+1 < len(runes) &&
			unicode.IsLetter(runes[i-1]) && unicode.IsLetter(runes[i+1])
		if r == ' ' || isJoint {
			pieces = append(pieces, string(runes[from:i+1]))
			from = i + 1
		}
	}
	return append(pieces, string(runes[from:]))
}
