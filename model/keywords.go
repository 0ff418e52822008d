// Keywords: the column names that need quotes in Python, SQL or R.

package model

import "strings"

// keywords are the words that cannot stand for a column without quotes: `.word` in Python, `word`
// in SQL or `$word` in R would not be read as a name.
var keywords = map[string]string{
	// https://docs.python.org/3/reference/lexical_analysis.html#keywords
	"Python": `and as assert async await break class continue def del elif else except false finally for from
		global if import in is lambda none nonlocal not or pass raise return true try while with yield`,
	// Reserved in PostgreSQL (https://www.postgresql.org/docs/current/sql-keywords-appendix.html), or
	// reserved or refused as a column in DuckDB (its function duckdb_keywords).
	"SQL": `all analyse analyze and anti any array as asc asof asymmetric at authorization binary both by case
		cast check collate collation column concurrently constraint create cross current_catalog
		current_date current_role current_schema current_time current_timestamp current_user default
		deferrable desc describe distinct do else end except false fetch for foreign freeze from full glob
		grant group having ilike in initially inner intersect into is isnull join lambda lateral leading
		left like limit localtime localtimestamp natural not notnull null offset on only or order outer
		overlaps pivot pivot_longer pivot_wider placing positional primary qualify references returning
		right select semi session_user show similar some summarize symmetric system_user table tablesample
		then to trailing true union unique unpack unpivot user using variadic verbose when where window with`,
	// help(Reserved) of R
	"R": `break else false for function if in inf na na_character_ na_complex_ na_integer_ na_real_ nan next null
		repeat true while`,
}

// KeywordOf returns the language, of Python, SQL and R, in which a column of that name needs
// quotes, in whatever case it is written; empty where it needs none.
func KeywordOf(name string) string {
	for _, language := range []string{"Python", "SQL", "R"} {
		for word := range strings.FieldsSeq(keywords[language]) {
			if strings.EqualFold(word, name) {
				return language
			}
		}
	}
	return ""
}
