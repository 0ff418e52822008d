// Slurm's limits of time and memory, the notice before the time limit and names of partitions:
// texts of all forms are compared with their values in seconds and bytes, and wrong ones are
// refused.

package batch

import "testing"

func TestParseTime(t *testing.T) {
	for text, want := range map[string]TimeLimit{
		"":            {},
		"UNLIMITED":   {Text: "UNLIMITED"},
		"90":          {"90", 90 * 60},
		"2:30":        {"2:30", 150},
		"12:30:05":    {"12:30:05", 12*3600 + 30*60 + 5},
		"2-12":        {"2-12", 60 * 3600},
		"1-02:30":     {"1-02:30", 26*3600 + 1800},
		"1-00:00:30":  {"1-00:00:30", 24*3600 + 30},
		"2h":          {"02:00:00", 7200},
		"1h30m":       {"01:30:00", 5400},
		"90s":         {"00:01:30", 90},
		"90.1s":       {"00:01:31", 91},
		"7d":          {"7-00:00:00", 7 * 86400},
		"90min":       {"01:30:00", 5400},
		"36h":         {"1-12:00:00", 36 * 3600},
		"0.5h":        {"00:30:00", 1800},
		"99999-23:59": {"99999-23:59", 99999*86400 + 23*3600 + 59*60},
	} {
		if have, err := ParseTime(text); err != nil || have != want {
			t.Errorf("%q: %+v, error %v, want %+v", text, have, err, want)
		}
	}
	for _, text := range []string{
		"0", "0:00", "-5", "1:2:3:4", "1-", "1-2-3", "five", "0s", "-2h", "1e3", "2h;rm", "90\n", "123456789",
	} {
		if have, err := ParseTime(text); err == nil {
			t.Errorf("%q is read as %+v", text, have)
		}
	}
}

func TestNotice(t *testing.T) {
	for seconds, want := range map[int64]int64{0: 60, 5: 1, 60: 6, 300: 30, 600: 60, 86400: 60} {
		if have := (TimeLimit{Seconds: seconds}).Notice(); have != want {
			t.Errorf("limit of %d s: notice of %d s, want %d", seconds, have, want)
		}
	}
}

func TestParseMemory(t *testing.T) {
	for text, want := range map[string]struct{ bytes, heap int64 }{
		"": {}, "0": {}, "512": {512 << 20, 435}, "2G": {2 << 30, 1740}, "2g": {2 << 30, 1740}, "2GB": {2 << 30, 1740},
		"1T": {1 << 40, 891289}, "900000K": {900000 << 10, 747}, "8388607T": {8388607 << 40, 7476678177587},
	} {
		have, err := ParseMemory(text)
		if err != nil || have.Text != text || have.Bytes != want.bytes || have.Heap() != want.heap {
			t.Errorf("%q: %+v with %d MB of heap, error %v, want %+v", text, have, have.Heap(), err, want)
		}
	}
	for _, text := range []string{
		"2 G", "1.5G", "G", "-1", "2Gi", "2P", "2G\n", "12345678901", "100B", "512b", "8388608T", "999999999T",
	} {
		if have, err := ParseMemory(text); err == nil {
			t.Errorf("%q is read as %+v", text, have)
		}
	}
}

func TestCheckPartition(t *testing.T) {
	for _, text := range []string{"", "main", "short,long-2", "gpu_a.100"} {
		if err := CheckPartition(text); err != nil {
			t.Error(err)
		}
	}
	for _, text := range []string{" ", "a b", "a,", ",a", "a\n#SBATCH --exclusive", "$(id)"} {
		if err := CheckPartition(text); err == nil {
			t.Errorf("%q is taken for a partition", text)
		}
	}
}
