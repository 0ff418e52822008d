// Package docs holds in the program those of its pages that it reads or prints itself.
package docs

import _ "embed"

// StudyFiles is the reference of study files, reference/study-files.md: its tables have a line for
// every word, with its type, default and meaning.
//
//go:embed reference/study-files.md
var StudyFiles string

// Licenses is the file NOTICE, then the texts of the licences of gridsweep and of what is linked
// into it.
//
//go:embed THIRD_PARTY_LICENSES.txt
var Licenses string

// Citation is a copy of the file CITATION.cff of the repository: how to cite gridsweep.
//
//go:embed CITATION.cff
var Citation []byte
