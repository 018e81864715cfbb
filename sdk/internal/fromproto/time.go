package fromproto

import (
	"fmt"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// timestamp gives a time in UTC. The years are those that RFC 3339 has room for;
// protobuf's own check would refuse the year 0.
func timestamp(field string, m *timestamppb.Timestamp) (time.Time, error) {
	if m == nil {
		return time.Time{}, fmt.Errorf("%s: missing", field)
	}
	if m.GetNanos() < 0 || m.GetNanos() >= int32(time.Second) {
		return time.Time{}, fmt.Errorf("%s: %d nanoseconds", field, m.GetNanos())
	}
	first, end := time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	if m.GetSeconds() < first.Unix() || m.GetSeconds() >= end.Unix() {
		return time.Time{}, fmt.Errorf("%s: lies outside the years 0 to 9999", field)
	}
	return m.AsTime(), nil
}

// duration takes an absent duration for zero, as protobuf does for numbers.
func duration(field string, m *durationpb.Duration) (time.Duration, error) {
	if m == nil {
		return 0, nil
	}
	if err := m.CheckValid(); err != nil {
		return 0, fmt.Errorf("%s: not a duration", field)
	}
	if d := m.AsDuration(); d >= 0 {
		return d, nil
	}
	return 0, fmt.Errorf("%s: is negative", field)
}
