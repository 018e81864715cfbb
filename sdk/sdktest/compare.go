package sdktest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"
)

// compare reports each field of an answer, a pointer to a struct, that is not as
// wanted. A list that is empty is as good as none: the wire does not tell them
// apart. A CheckedAt that is not wanted is the time of the call.
func compare(t testing.TB, path string, got, want any) {
	t.Helper()
	g, w := reflect.ValueOf(got).Elem(), reflect.ValueOf(want).Elem()
	for i := range w.NumField() {
		name := path + w.Type().Field(i).Name
		a, b := g.Field(i).Interface(), w.Field(i).Interface()
		switch {
		case reflect.DeepEqual(a, b), isEmpty(g.Field(i)) && isEmpty(w.Field(i)):
		case name == "CheckedAt" && b.(time.Time).IsZero():
		case isStruct(g.Field(i)) && isStruct(w.Field(i)):
			compare(t, name+".", a, b)
		default:
			t.Errorf("%s is %s; want %s", name, show(a), show(b))
		}
	}
}

func isEmpty(v reflect.Value) bool { return v.Kind() == reflect.Slice && v.Len() == 0 }

// isStruct reports whether v points to a struct.
func isStruct(v reflect.Value) bool {
	return v.Kind() == reflect.Pointer && !v.IsNil() && v.Elem().Kind() == reflect.Struct
}

// show writes texts as texts, and lists and structs with all that they point to.
func show(value any) string {
	if text, ok := value.([]byte); ok {
		return fmt.Sprintf("%q", text)
	}
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprintf("%+v", value)
	}
	return string(text)
}
