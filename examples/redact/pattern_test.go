package main

import (
	"maps"
	"strings"
	"testing"
)

const (
	accessKey = "AKIA" + "IOSFODNN7EXAMPLE"
	secretKey = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
	begin     = "-----BEGIN RSA PRIVATE KEY-----"
	end       = "-----END RSA PRIVATE KEY-----"
)

func TestDefaultPatterns(t *testing.T) {
	patterns, err := compile(defaults)
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]string{
		"":                                                "",
		"no secret \xff\x00\r\n\u2028 at all ":            "no secret \xff\x00\r\n\u2028 at all ",
		"a\xff" + accessKey + "\xfez\n":                   "a\xff[redacted aws-access-key]\xfez\n",
		"KEY_" + accessKey + "_" + accessKey:              "KEY_[redacted aws-access-key]_[redacted aws-access-key]",
		"AKIA and ASIA are prefixes":                      "AKIA and ASIA are prefixes",
		"aws_secret_access_key = " + secretKey:            "aws_secret_access_key = [redacted aws-secret-key]",
		`{"AwsSecretKey":"` + secretKey + `"}`:            `{"AwsSecretKey":"[redacted aws-secret-key]"}`,
		"a digest " + strings.Repeat("0a", 20):            "a digest " + strings.Repeat("0a", 20),
		"Authorization: Bearer abc.DEF-123_456~7/8+9==\n": "Authorization: Bearer [redacted bearer-token]\n",
		"the bearer of news":                              "the bearer of news",
		"ghp_" + strings.Repeat("a", 36) + ".":            "[redacted github-token].",
		"postgres://ann:s3cret@db/x":                      "postgres://ann:[redacted url-password]@db/x",
		"https://example.com:8080/a@b":                    "https://example.com:8080/a@b",
		"x\n" + begin + "\nMIIE\nAb+/=\n" + end + "\ny":   "x\n[redacted private-key]\ny",
		`"` + begin + `\nMIIE\n` + end + `\n"`:            `"[redacted private-key]\n"`,
		// What was cut off has no end.
		"x\n" + begin + "\nProc-Type: 4,ENCRYPTED\n\nMIIE\nAb+/=\n": "x\n[redacted private-key]\n",
		"do not commit `" + begin + "`, please. 1. `/dr-do`":        "do not commit `[redacted private-key]`, please. 1. `/dr-do`",
		// Parts of secrets that overlap are not left.
		"Bearer aaaaaaaa." + accessKey + ".bbbbbbbb": "Bearer [redacted bearer-token]",
		begin + "\n" + accessKey + "\n" + end:        "[redacted private-key]",
	}
	for text, want := range tests {
		if got := string(replace([]byte(text), patterns, map[string]int{})); got != want {
			t.Errorf("%q: %q; want %q", text, got, want)
		}
	}
}

func TestSecretsAreCounted(t *testing.T) {
	patterns, err := compile(defaults)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	replace([]byte(accessKey+" "+accessKey+" Bearer 0123456789abcdef"), patterns, found)
	if want := map[string]int{"aws-access-key": 2, "bearer-token": 1}; !maps.Equal(found, want) {
		t.Errorf("%v; want %v", found, want)
	}
	if got := warning(found); got != "redacted before storing: aws-access-key (2), bearer-token (1)" {
		t.Error(got)
	}
}

func TestPatternsThatAreRefused(t *testing.T) {
	for form, want := range map[string]string{
		"(":  "patterns.x: error parsing regexp: missing closing ): `(`",
		"a*": "patterns.x: matches everywhere",
		"":   "patterns.x: matches everywhere",
	} {
		if _, err := compile(map[string]string{"x": form}); err == nil || err.Error() != want {
			t.Errorf("%q: %v; want %s", form, err, want)
		}
	}
	if _, err := compile(map[string]string{"X]": "a"}); err == nil {
		t.Error("a name that could be anything is taken")
	}
}
