package fromproto

import "fmt"

// number narrows a size, a revision or a process ID to an int, which has 32 bits
// on some systems.
func number(field string, n int64) (int, error) {
	switch {
	case n < 0:
		return 0, fmt.Errorf("%s: %d is negative", field, n)
	case int64(int(n)) != n:
		return 0, fmt.Errorf("%s: %d is too large", field, n)
	}
	return int(n), nil
}
