// The files for each scheduler: their whole texts are in testdata, those of containers are held
// against the schemas that Kubernetes and AWS publish, and templates of users are read.

package batch

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// limited returns scripts with all limits, for a scheduler.
func limited(t *testing.T, target Target) Scripts {
	t.Helper()
	s := commands()
	s.Running, s.CPUs, s.Partition, s.Traces = 2, 4, "long", "/home/ada/traces"
	if target.Container {
		s.Image, s.Volume, s.TracesVolume, s.Traces = "registry.example.org/gridsweep:0.2.0", "results", "logs", "/traces"
	}
	s.Check = Command{"/opt/gridsweep", "status", "mine.yaml"}
	s.Run = append(s.Run, "--set", `label=it's "1A, 1E"`, "--shard", "env", "--workers", "4")
	var err error
	if s.Time, err = ParseTime("2h"); err != nil {
		t.Fatal(err)
	}
	if s.Memory, err = ParseMemory("4G"); err != nil {
		t.Fatal(err)
	}
	return s
}

// unlimited returns scripts of a single task without limits.
func unlimited(target Target) Scripts {
	s := commands()
	s.Tasks, s.Check = 1, Command{"/opt/gridsweep", "status", "mine.yaml"}
	if target.Container {
		s.Image, s.Volume, s.Partition = "gridsweep", "results", "queue"
	}
	return s
}

// filesOf returns the files for a scheduler that is built in.
func filesOf(t *testing.T, name string, scripts func(Target) Scripts) []File {
	t.Helper()
	target, err := FindTarget(name)
	if err != nil {
		t.Fatal(err)
	}
	files, err := target.Files(scripts(target))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestFilesOfTargets(t *testing.T) {
	for _, name := range TargetNames() {
		for limits, scripts := range map[string]func(Target) Scripts{
			"limited":   func(target Target) Scripts { return limited(t, target) },
			"unlimited": unlimited,
		} {
			for _, file := range filesOf(t, name, scripts) {
				path := filepath.Join("testdata", name, limits, file.Name)
				if *update {
					if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(path, []byte(file.Text), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(path)
				if diff := cmp.Diff(string(want), file.Text); err != nil || diff != "" {
					t.Errorf("%s (%v): rewrite it by -update if this is meant\n%s", path, err, diff)
				}
			}
		}
	}
}

// Shells take the files that are scripts.
func TestScriptsAreShell(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash: ", err)
	}
	for _, name := range TargetNames() {
		for _, file := range filesOf(t, name, func(target Target) Scripts { return limited(t, target) }) {
			if filepath.Ext(file.Name) != ".sh" {
				continue
			}
			c := exec.Command(shell, "-n")
			c.Stdin = strings.NewReader(file.Text)
			if out, err := c.CombinedOutput(); err != nil {
				t.Errorf("%s of %s: %v\n%s", file.Name, name, err, out)
			}
		}
	}
}

// publishedSchemas checks files of containers, whose paths are its arguments, against the OpenAPI
// schema of Kubernetes and the service model of AWS Batch. Unknown fields are errors.
const publishedSchemas = `
import json, sys, yaml, kubernetes_validate, botocore.session, botocore.validate
client = botocore.session.get_session().get_service_model("batch").operation_model("RegisterJobDefinition").input_shape
for path in sys.argv[1:]:
    text = open(path).read()
    if path.endswith(".yaml"):
        kubernetes_validate.validate(yaml.safe_load(text), kubernetes_validate.latest_version(), strict=True)
    else:
        report = botocore.validate.ParamValidator().validate(json.loads(text), client)
        if report.has_errors(): sys.exit(path + ": " + report.generate_report())
print("valid")
`

func TestFilesOfContainersFitPublishedSchemas(t *testing.T) {
	python := os.Getenv("GRIDSWEEP_SCHEMAS_PYTHON")
	if python == "" {
		t.Skip("GRIDSWEEP_SCHEMAS_PYTHON names no Python with kubernetes-validate and botocore: files of containers are " +
			"not held against published schemas")
	}
	check := func(paths ...string) (string, error) {
		out, err := exec.Command(python, append([]string{"-c", publishedSchemas}, paths...)...).CombinedOutput()
		return string(out), err
	}
	var paths []string
	for _, pattern := range []string{"testdata/kubernetes/*/*.yaml", "testdata/aws-batch/*/*.json"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	if len(paths) != 8 {
		t.Fatalf("files %v", paths)
	}
	if out, err := check(paths...); err != nil || out != "valid\n" {
		t.Errorf("%v\n%s", err, out)
	}
	// The check finds a wrong word in each file.
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		wrong := filepath.Join(t.TempDir(), filepath.Base(path))
		text = bytes.Replace(bytes.Replace(text, []byte("restartPolicy"), []byte("restart"), 1), []byte(`"attempts"`),
			[]byte(`"tries"`), 1)
		if err := os.WriteFile(wrong, text, 0o666); err != nil {
			t.Fatal(err)
		}
		if out, err := check(wrong); err == nil {
			t.Errorf("%s with a wrong word: %s", path, out)
		}
	}
}

// A command is a line for a shell, also where a template quotes it once more or as JSON.
func TestCommands(t *testing.T) {
	for want, c := range map[string]Command{
		"gridsweep":                             {"gridsweep"},
		"gridsweep run mine.yaml":               {"gridsweep", "run", "mine.yaml"},
		"'/my programs/gridsweep' run 'a b' ''": {"/my programs/gridsweep", "run", "a b", ""},
		`gridsweep run 'it'\''s'`:               {"gridsweep", "run", "it's"},
		`gridsweep run 'a\b'`:                   {"gridsweep", "run", `a\b`},
	} {
		if have := c.String(); have != want {
			t.Errorf("%q: %s, want %s", c, have, want)
		}
		if have := shown(c); have != shellString(want) {
			t.Errorf("quoted it is %s", have)
		}
		have, err := jsonText(c)
		if same, _ := jsonText(want); have != same || err != nil {
			t.Errorf("as JSON it is %s, %v", have, err)
		}
	}
}

// A user's folder of templates describes another scheduler.
func TestTargetOfUser(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := FindTarget(dir); err == nil || !strings.Contains(err.Error(), "has no file array.*") {
		t.Errorf("an empty folder: error %v", err)
	}
	write("array.job", "tasks = {{.Tasks}}\ncommand = {{.Run}}\narguments = {{json (arguments .Run \"--fail-fast\")}}\n")
	if _, err := FindTarget(dir); err == nil || !strings.Contains(err.Error(), "has no file submit.sh") {
		t.Errorf("a folder without submit.sh: error %v", err)
	}
	write("submit.sh", "mysubmit {{.Name}}\n")
	write("finish.job", "{{template \"report.tmpl\" .}}")
	target, err := FindTarget(dir)
	if err != nil {
		t.Fatal(err)
	}
	files, err := target.Files(commands())
	if err != nil || len(files) != 3 || files[0].Text != "tasks = 5\ncommand = /opt/gridsweep run mine.yaml\n"+
		`arguments = ["run","mine.yaml","--fail-fast"]`+"\n" ||
		!strings.HasPrefix(files[1].Text, "/opt/gridsweep status mine.yaml --complete\n") ||
		files[2] != (File{"submit.sh", "mysubmit gridsweep-0123\n"}) {
		t.Errorf("files %+v, error %v", files, err)
	}
	for _, c := range []struct{ text, want string }{
		{"{{.Tsks}}", "can't evaluate field Tsks"},
		{"{{", "array.job"},
		{`{{plain "/a b"}}`, "folder /a b: the scheduler may not take the character ' '"},
		{`{{plain "/a\u00a0b"}}`, "the scheduler may not take the character '\\u00a0'"},
	} {
		write("array.job", c.text)
		if _, err := target.Files(commands()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.text, err, c.want)
		}
	}
	if _, err := FindTarget("sge"); err == nil || !strings.Contains(err.Error(), "write slurm, gridengine, ") {
		t.Errorf("an unknown name: error %v", err)
	}
}
