// Lines and bars of a simulated download, by a simulated clock.

package progress

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"gridsweep/pipeline/traces"
)

// download calls a hook as for half a minute of a download that is dropped once and continues one
// of 10 kB.
func download(hook func(traces.Progress), total int64, path string) {
	p := traces.Progress{Trace: "das2", Done: 10_000, Resumed: 10_000, Total: total}
	hook(p)
	for second := range 30 {
		time.Sleep(time.Second)
		p.Done += 1000
		hook(p)
		if second == 14 {
			dropped := p
			dropped.Retry = errors.New("the connection ended after 25000 bytes")
			hook(dropped)
		}
	}
	p.Ended, p.Path = true, path
	hook(p)
}

func TestDownloadLines(t *testing.T) {
	for _, c := range []struct {
		name, path string
		total      int64
		want       []string
	}{
		{"whole", "das2.gwf", 40_000, []string{
			"das2: 12 kB of 40 kB (30 %), 1.0 kB/s, 28s left",
			"das2: 22 kB of 40 kB (55 %), 1.0 kB/s, 18s left",
			"das2: the connection ended after 25000 bytes; trying again",
			"das2: 32 kB of 40 kB (80 %), 1.0 kB/s, 8.0s left",
			"das2: 40 kB in 30s, 1.0 kB/s, 10 kB were there already",
		}},
		{"of unknown length", "", 0, []string{
			"das2: 12 kB, 1.0 kB/s",
			"das2: 22 kB, 1.0 kB/s",
			"das2: the connection ended after 25000 bytes; trying again",
			"das2: 32 kB, 1.0 kB/s",
			"das2: 40 kB after 30s: stopped",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				download(Download(&out, nil), c.total, c.path)
				if diff := cmp.Diff(c.want, strings.Split(strings.TrimSpace(out.String()), "\n")); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
			})
		})
	}
}

func TestDownloadBar(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		download(Download(&out, func() int { return 100 }), 40_000, "das2.gwf")
		for _, want := range []string{"22 kB of 40 kB (55 %), 1.0 kB/s, 18s left", "trying again\n"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("the bar never shows %q", want)
			}
		}
		if last := "das2: 40 kB in 30s, 1.0 kB/s, 10 kB were there already\n"; !strings.HasSuffix(out.String(), last) {
			t.Errorf("it ends with %q", out.String()[max(0, out.Len()-100):])
		}
	})
}
