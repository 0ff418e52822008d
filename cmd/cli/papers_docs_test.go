// The generated tables of papers, traces and queue orders in README.md and docs equal the code;
// -update writes them.

package cli

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gridsweep/configs"
	"gridsweep/configs/language"
	"gridsweep/model"
	"gridsweep/model/cluster/ordering"
	"gridsweep/model/scheduling"
	"gridsweep/model/studies"
	"gridsweep/sweeps"
)

// paperDocs is a row of the table of papers.
type paperDocs struct {
	name                  string
	about                 []string // names and titles of its studies
	citation              string
	runs, tables, figures int
	sentences             int // of the paper that claims judge
	models                []string
	// docs/explanation/papers/NAME.md; empty if it does not exist
	page string
}

// papersInOrder returns the papers in the order of their models.
func papersInOrder(t *testing.T) []paperDocs {
	t.Helper()
	var papers []paperDocs
	for _, m := range studies.All() {
		for _, name := range configs.List() {
			study, err := configs.Load(t.Context(), name)
			if err != nil {
				t.Fatal(err)
			}
			if study.Model.Value == m.Name {
				papers = addStudy(t, papers, path.Dir(name), study, m)
			}
		}
	}
	return papers
}

func addStudy(t *testing.T, papers []paperDocs, paper string, study *configs.Study, m *model.Model) []paperDocs {
	t.Helper()
	plan, err := sweeps.Expand(t.Context(), study, m, sweeps.Options{})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(papers, func(p paperDocs) bool { return p.name == paper })
	if i < 0 {
		i = len(papers)
		papers = append(papers, paperDocs{name: paper, citation: m.Paper})
		if page := path.Join("docs/explanation/papers", paper+".md"); exists(filepath.Join(root, page)) {
			papers[i].page = page
		}
	}
	p := &papers[i]
	p.about = append(p.about, fmt.Sprintf("`%s`: %s", study.Name.Value, study.Title.Value))
	p.runs, p.tables = p.runs+len(plan.Runs), p.tables+len(study.Tables)
	p.figures, p.sentences = p.figures+len(study.Figures), p.sentences+judged(study)
	if !slices.Contains(p.models, m.Name) {
		p.models = append(p.models, m.Name)
	}
	return papers
}

// judged counts the sentences of the paper that claims of a study judge.
func judged(study *configs.Study) int {
	sentences := map[string]bool{}
	for _, c := range study.Claims {
		if c.Origin.Value == "" || c.Origin.Value == string(language.OfPaper) {
			sentences[cmp.Or(c.Sentence.Value, "claim "+c.Name.Value)] = true
		}
	}
	return len(sentences)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// The tables of papers, traces and orders in README.md and docs equal the code and the study files.
func TestDocsOfPapersAreCurrent(t *testing.T) {
	papers := papersInOrder(t)
	for page, sections := range map[string]map[string]string{
		"README.md":                         {"papers": tableOfPapers(papers)},
		"docs/reference/trace-catalogue.md": {"traces": tableOfTraces(), "acknowledgements": acknowledgements()},
		"docs/reference/scheduling.md":      {"orders": tableOfOrders()},
	} {
		file := filepath.Join(root, filepath.FromSlash(page))
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		current := string(content)
		for section, want := range sections {
			begin, end := "<!-- made by make docs: "+section+" -->\n", "<!-- end of "+section+" -->\n"
			before, rest, hasBegin := strings.Cut(current, begin)
			have, after, hasEnd := strings.Cut(rest, end)
			if !hasBegin || !hasEnd {
				t.Errorf("%s has no lines %q and %q, between which make docs writes", page, begin, end)
				continue
			}
			if have != want && !*update {
				t.Errorf("%s:%d: the %s differ from the code and the study files: make docs", page,
					2+strings.Count(before, "\n"), section)
			}
			current = before + begin + want + end + after
		}
		if *update {
			if err := os.WriteFile(file, []byte(current), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// tableOfPapers lists the papers, without the studies of the model scheduling, which belong to
// none.
func tableOfPapers(papers []paperDocs) string {
	var text strings.Builder
	row(&text, "paper", "what it is about", "runs", "tables", "figures", "sentences judged", "parameters")
	row(&text, "---", "---", "--:", "--:", "--:", "--:", "---")
	for _, p := range papers {
		if slices.Equal(p.models, []string{scheduling.Spec.Name}) {
			continue
		}
		about := strings.Join(p.about, "; ")
		if len(p.about) == 1 {
			_, about, _ = strings.Cut(about, ": ")
		}
		name := code(p.name)
		if p.page != "" {
			name = fmt.Sprintf("[%s](%s)", name, p.page)
		}
		var links []string
		for _, m := range p.models {
			links = append(links, fmt.Sprintf("[%s](docs/reference/parameters/%s.md)", m, m))
		}
		row(&text, name, about+". "+p.citation, count(p.runs), strconv.Itoa(p.tables), strconv.Itoa(p.figures),
			strconv.Itoa(p.sentences), strings.Join(links, ", "))
	}
	return text.String()
}

func tableOfTraces() string {
	var text strings.Builder
	row(&text, "name", "trace", "format", "jobs", "processors of its clusters", "used by")
	row(&text, "---", "---", "---", "--:", "---", "---")
	for _, t := range configs.Traces() {
		jobs, uses := "not known", make([]string, len(t.Uses))
		if t.Jobs > 0 {
			jobs = count(t.Jobs)
		}
		for i, use := range t.Uses {
			uses[i] = use.Paper.Value + ": " + use.Window.Value
		}
		row(&text, code(t.Name.Value), fmt.Sprintf("[%s](%s)", t.Title.Value, t.Page.Value), strings.ToUpper(t.Format.Value),
			jobs,
			strings.ReplaceAll(strings.Trim(fmt.Sprint(t.Clusters), "[]"), " ", ", "), strings.Join(uses, "; "))
	}
	return text.String()
}

func tableOfOrders() string {
	var text strings.Builder
	row(&text, "name", "order", "source")
	row(&text, "---", "---", "---")
	for _, order := range ordering.Literature() {
		row(&text, code(order.Name), code(order.Order), order.Source)
	}
	return text.String()
}

func acknowledgements() string {
	var text strings.Builder
	for _, t := range configs.Traces() {
		fmt.Fprintf(&text, "- `%s`: %s %s.\n", t.Name.Value, t.Acknowledge.Value, t.Reference.Value)
	}
	return text.String()
}
