// Limits of a job as Slurm writes them: time, memory and partitions.

package batch

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"gridsweep/model"
)

// TimeLimit is how long a job may run.
type TimeLimit struct {
	Text    string // limit as sbatch takes it; empty leaves it to the partition
	Seconds int64  // 0 where the limit is the partition's, or none
}

// ParseTime reads a time limit in one of Slurm's forms (minutes, MM:SS, HH:MM:SS, D-HH, D-HH:MM,
// D-HH:MM:SS and UNLIMITED) or as a duration such as 2h, 1h30m or 7d. An empty text leaves the
// limit to the partition.
func ParseTime(text string) (TimeLimit, error) {
	if text == "" || strings.EqualFold(text, "unlimited") {
		return TimeLimit{Text: text}, nil
	}
	if duration, err := model.ParseDuration(text); err == nil {
		seconds := int64(math.Ceil(duration))
		if seconds < 1 {
			return TimeLimit{}, fmt.Errorf("%s: a job cannot run in that time; write one such as 2h", text)
		}
		return TimeLimit{Text: slurmTime(seconds), Seconds: seconds}, nil
	}
	seconds, ok := slurmSeconds(text)
	if !ok || seconds < 1 {
		return TimeLimit{}, fmt.Errorf("%s: write minutes, MM:SS, HH:MM:SS, D-HH, D-HH:MM, D-HH:MM:SS, UNLIMITED or a "+
			"duration such as 2h, 1h30m or 7d", text)
	}
	return TimeLimit{Text: text, Seconds: seconds}, nil
}

// slurmSeconds reads Slurm's forms. After days comes the number of hours. Without days, a single
// number and the first of two are minutes.
func slurmSeconds(text string) (seconds int64, ok bool) {
	if !regexp.MustCompile(`^(\d{1,5}-)?\d{1,7}(:\d{1,2}){0,2}$`).MatchString(text) {
		return 0, false
	}
	days, clock, hasDays := strings.Cut(text, "-")
	if !hasDays {
		days, clock = "0", text
	}
	units := map[int][]int64{1: {60}, 2: {60, 1}, 3: {3600, 60, 1}}
	if hasDays {
		units = map[int][]int64{1: {3600}, 2: {3600, 60}, 3: {3600, 60, 1}}
	}
	numbers := strings.Split(clock, ":")
	for i, unit := range units[len(numbers)] {
		seconds += unit * digits(numbers[i])
	}
	return seconds + 24*3600*digits(days), true
}

// digits parses a few digits.
func digits(text string) int64 {
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		panic(err)
	}
	return number
}

// slurmTime returns a number of seconds as D-HH:MM:SS, or HH:MM:SS within a day.
func slurmTime(seconds int64) string {
	days, rest := seconds/(24*3600), seconds%(24*3600)
	clock := fmt.Sprintf("%02d:%02d:%02d", rest/3600, rest/60%60, rest%60)
	if days == 0 {
		return clock
	}
	return fmt.Sprintf("%d-%s", days, clock)
}

// Notice returns how many seconds before the limit a task gets the signal to stop: a minute, or a
// tenth of a limit of less than ten minutes. Slurm may send the signal up to a minute earlier.
func (l TimeLimit) Notice() int64 {
	const minute = 60
	if l.Seconds == 0 {
		return minute
	}
	return min(minute, max(1, l.Seconds/10))
}

// Soft returns the seconds after which a task gets the signal to stop; 0 without a limit.
func (l TimeLimit) Soft() int64 { return max(0, l.Seconds-l.Notice()) }

// Minutes returns the limit in minutes, rounded up; 0 without a limit.
func (l TimeLimit) Minutes() int64 { return (l.Seconds + 59) / 60 }

// Clock returns the limit as HH:MM:SS, with all hours.
func (l TimeLimit) Clock() string {
	return fmt.Sprintf("%02d:%02d:%02d", l.Seconds/3600, l.Seconds/60%60, l.Seconds%60)
}

// atLeast returns the limit, or so many seconds if it is shorter.
func (l TimeLimit) atLeast(seconds int64) TimeLimit {
	if l.Seconds == 0 || l.Seconds >= seconds {
		return l
	}
	return TimeLimit{Text: slurmTime(seconds), Seconds: seconds}
}

// Memory is how much memory a job may use on a node.
type Memory struct {
	Text  string // limit as sbatch takes it; empty leaves it to the partition
	Bytes int64  // 0 where the limit is the partition's, or all of the node's
}

// ParseMemory reads a size as Slurm writes it: an integer of megabytes, or one with K, M, G or T,
// each 1024 times the one before; 0 is all memory of a node. An empty text leaves the limit to the
// partition.
func ParseMemory(text string) (Memory, error) {
	if text == "" {
		return Memory{}, nil
	}
	match := regexp.MustCompile(`^(\d{1,9})(?:([KMGTkmgt])[Bb]?)?$`).FindStringSubmatch(text)
	if match == nil {
		return Memory{}, fmt.Errorf("%s: write a whole number with K, M, G or T, such as 2G; "+
			"without a letter it is megabytes", text)
	}
	shift := map[string]int{"K": 10, "": 20, "M": 20, "G": 30, "T": 40}[strings.ToUpper(match[2])]
	number := digits(match[1])
	if number > math.MaxInt64>>shift {
		return Memory{}, fmt.Errorf("%s: no node has that much; write less", text)
	}
	return Memory{Text: text, Bytes: number << shift}, nil
}

// Heap returns how many megabytes Go may allocate within the limit: 85 % of it, since the process
// needs more memory than its objects. It is 0 without a limit.
func (m Memory) Heap() int64 { return m.Bytes / 100 * 85 >> 20 }

// Megabytes returns the memory in units of 2^20 bytes, rounded down; 0 without a limit.
func (m Memory) Megabytes() int64 { return m.Bytes >> 20 }

// atLeast returns the limit, or so many bytes, rounded down to megabytes, if it is less.
func (m Memory) atLeast(bytes int64) Memory {
	if m.Bytes == 0 || m.Bytes >= bytes {
		return m
	}
	return Memory{Text: fmt.Sprintf("%dM", bytes>>20), Bytes: bytes}
}

// CheckPartition returns an error for a text that is not a list of partitions.
func CheckPartition(text string) error {
	if text == "" || regexp.MustCompile(`^[A-Za-z0-9_.-]+(,[A-Za-z0-9_.-]+)*$`).MatchString(text) {
		return nil
	}
	return fmt.Errorf("%q: write the name of a partition, or several with commas between; sinfo lists them", text)
}
