package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// pythonPackages are what examples/grpc-python says that it needs.
const pythonPackages = "python3-grpcio python3-protobuf protobuf-compiler libprotobuf-dev"

// hasPackages is the condition grpc-python of the scripts. Continuous integration
// installs the packages, so there they must not be missing.
func hasPackages(condition string) (bool, error) {
	if condition != "grpc-python" {
		return false, fmt.Errorf("unknown condition %q", condition)
	}
	err := missingPackages()
	if err != nil && os.Getenv("CI") == "" {
		return false, nil
	}
	return err == nil, err
}

func missingPackages() error {
	for _, command := range [][]string{
		{"/usr/bin/python3", "-c", "import grpc, google.protobuf"},
		{"protoc", "--descriptor_set_out=" + os.DevNull, "google/protobuf/any.proto"},
	} {
		if output, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s\nrun: apt-get install %s", strings.Join(command, " "), err, output, pythonPackages)
		}
	}
	return nil
}
