package fromproto_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/snapshot"
)

// fill sets every field below the pointer v, each to another value, so that a
// field which is forgotten or taken for its neighbour shows.
func fill(v any) {
	n := 0
	fillValue(reflect.ValueOf(v).Elem(), &n)
}

func fillValue(v reflect.Value, n *int) {
	*n++
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.Unix(1_700_000_000+int64(*n), int64(*n)).UTC()))
		return
	case time.Duration:
		v.SetInt(int64(time.Duration(*n) * (time.Second + 1)))
		return
	case []byte:
		v.SetBytes([]byte{0xFF, 'a', 0, byte(*n)}) // neither UTF-8 nor text
		return
	case snapshot.Level:
		v.SetString(string(snapshot.LevelSchema))
		return
	case hook.Verdict:
		v.SetString(string(hook.VerdictValid))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("текст %d", *n))
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillValue(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fillValue(v.Index(i), n)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fillValue(v.Field(i), n)
		}
	default:
		panic("no sample for " + v.Type().String())
	}
}

// unset lists the fields below v that have their zero value.
func unset(path string, v reflect.Value) []string {
	if v.IsZero() {
		return []string{path}
	}
	var paths []string
	switch v.Kind() {
	case reflect.Pointer:
		return unset(path, v.Elem())
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return nil
		}
		for i := range v.Len() {
			paths = append(paths, unset(fmt.Sprintf("%s[%d]", path, i), v.Index(i))...)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return nil
		}
		for i := range v.NumField() {
			paths = append(paths, unset(path+"."+v.Type().Field(i).Name, v.Field(i))...)
		}
	}
	return paths
}

// unsetFields lists the fields below the message that are not set. It does not
// look into times and durations.
func unsetFields(path string, m protoreflect.Message) []string {
	var paths []string
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		at := path + "." + string(field.Name())
		switch {
		case !m.Has(field):
			paths = append(paths, at)
		case field.Message() == nil, field.Message().ParentFile() != m.Descriptor().ParentFile():
		case field.IsList():
			for j := range m.Get(field).List().Len() {
				paths = append(paths, unsetFields(fmt.Sprintf("%s[%d]", at, j), m.Get(field).List().Get(j).Message())...)
			}
		default:
			paths = append(paths, unsetFields(at, m.Get(field).Message())...)
		}
	}
	return paths
}

// common keeps the paths of a that are, or lie below, a path of b.
func common(a, b []string) []string {
	return slices.DeleteFunc(a, func(path string) bool {
		return !slices.ContainsFunc(b, func(other string) bool {
			rest, found := strings.CutPrefix(path, other)
			return found && (rest == "" || rest[0] == '.' || rest[0] == '[')
		})
	})
}
