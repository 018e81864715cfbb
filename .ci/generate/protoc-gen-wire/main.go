// Protoc-gen-wire makes the reference of the wire, a page of Markdown, from the
// comments of a .proto file. buf runs it beside the generators of code.
package main

import (
	"fmt"
	"regexp"
	"strings"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/reflect/protoreflect"
)

func main() {
	protogen.Options{}.Run(func(plugin *protogen.Plugin) error {
		for _, file := range plugin.Files {
			if file.Generate {
				page(plugin.NewGeneratedFile("wire.md", ""), file)
			}
		}
		return nil
	})
}

// page writes the services, with the messages of their calls, and then what these
// are made of, each in the order of the file.
func page(g *protogen.GeneratedFile, file *protogen.File) {
	g.P("<!-- Made by .ci/generate/run from ", file.Desc.Path(), ". Do not edit. -->")
	g.P("# The wire")
	g.P()
	g.P("For the author of a plugin in another language, or of a host. Every message between a host and a plugin, from the comments in")
	g.P("`sdk/proto/", file.Desc.Path(), "`. How a plugin is started is in [Write a plugin](plugins.md#other-languages), what may")
	g.P("change in [Compatibility](compatibility.md).")
	g.P()
	syntax := file.Desc.SourceLocations().ByPath(protoreflect.SourcePath{12})
	g.P(strings.TrimSpace(unindent(syntax.LeadingComments))) // the file's own comment
	g.P()
	g.P("The package is `", file.Desc.Package(), "`. Links lead to the messages; the other types are those of Protocol Buffers.")
	g.P()
	g.P("## Services")
	g.P()
	g.P("| service | call | request | response | |")
	g.P("|---|---|---|---|---|")
	for _, service := range file.Services {
		for _, method := range service.Methods {
			text := cell(service.Comments.Leading) + " " + cell(method.Comments.Leading)
			g.P("| `", service.Desc.Name(), "` | `", method.Desc.Name(), "` | ", link(method.Input.Desc), " | ", link(method.Output.Desc), " | ",
				strings.TrimSpace(text), " |")
		}
	}
	g.P()
	g.P("## Messages")
	for _, message := range file.Messages {
		describe(g, message)
	}
	g.P()
	g.P("## Enums")
	for _, enum := range file.Enums {
		g.P()
		g.P("### ", enum.Desc.Name())
		g.P()
		g.P("| number | value | |")
		g.P("|---|---|---|")
		for _, value := range enum.Values {
			g.P("| ", value.Desc.Number(), " | `", value.Desc.Name(), "` | ", cell(value.Comments.Leading), " |")
		}
	}
}

func describe(g *protogen.GeneratedFile, message *protogen.Message) {
	g.P()
	g.P("### ", message.Desc.Name())
	g.P()
	if text := cell(message.Comments.Leading); text != "" {
		g.P(text)
		g.P()
	}
	if len(message.Fields) == 0 {
		g.P("It has no fields.")
		return
	}
	g.P("| number | field | type | |")
	g.P("|---|---|---|---|")
	for _, field := range message.Fields {
		g.P("| ", field.Desc.Number(), " | `", field.Desc.Name(), "` | ", typeOf(field.Desc), " | ", cell(field.Comments.Leading), " |")
	}
}

func typeOf(field protoreflect.FieldDescriptor) string {
	text := field.Kind().String()
	switch {
	case field.Message() != nil:
		text = link(field.Message())
	case field.Enum() != nil:
		text = link(field.Enum())
	}
	if field.IsList() {
		text = "list of " + text
	}
	return text
}

// link leads to the heading of a type of this file. Others are named in full.
func link(d protoreflect.Descriptor) string {
	if strings.HasPrefix(string(d.FullName()), "google.") {
		return fmt.Sprintf("`%s`", d.FullName())
	}
	return fmt.Sprintf("[%s](#%s)", d.Name(), strings.ToLower(string(d.Name())))
}

var spaces = regexp.MustCompile(`\s+`)

// cell is a comment in one line, as a cell of a table wants it.
func cell(comments protogen.Comments) string {
	text := strings.ReplaceAll(string(comments), "|", `\|`)
	return strings.TrimSpace(spaces.ReplaceAllString(text, " "))
}

// unindent takes away the blank behind each "//".
func unindent(comment string) string {
	return strings.ReplaceAll("\n"+comment, "\n ", "\n")
}
