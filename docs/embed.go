// Package docs holds in the program those of its pages that it reads itself.
package docs

import _ "embed"

// StudyFiles is the reference of study files, study-files.md: its tables have a line for every word, with its type, default and
// meaning.
//
//go:embed study-files.md
var StudyFiles string
