package infra_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

// sourceFiles parses the production files of a folder of the module.
func sourceFiles(folder string) ([]*ast.File, error) {
	paths, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "*.go"))
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s has no Go files", folder)
	}
	return files, nil
}

// routePatterns returns the patterns that a folder's code registers with a
// method, such as "POST /api/chat".
func routePatterns(folder string) ([]string, error) {
	files, err := sourceFiles(folder)
	if err != nil {
		return nil, err
	}
	var patterns []string
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 2 {
				return true
			}
			register, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || register.Sel.Name != "HandleFunc" && register.Sel.Name != "Handle" {
				return true
			}
			if lit, ok := call.Args[0].(*ast.BasicLit); ok {
				if p, err := strconv.Unquote(lit.Value); err == nil && strings.Contains(p, " /") {
					patterns = append(patterns, p)
				}
			}
			return true
		})
	}
	return patterns, nil
}

// constants returns the texts of a folder's constants of a type, in order.
func constants(folder, typeName string) ([]any, error) {
	files, err := sourceFiles(folder)
	if err != nil {
		return nil, err
	}
	var values []any
	for _, file := range files {
		for _, decl := range file.Decls {
			group, ok := decl.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST {
				continue
			}
			for _, spec := range group.Specs {
				c := spec.(*ast.ValueSpec)
				if name, ok := c.Type.(*ast.Ident); !ok || name.Name != typeName {
					continue
				}
				for _, value := range c.Values {
					lit, ok := value.(*ast.BasicLit)
					if !ok {
						return nil, fmt.Errorf("a constant of %s is not a plain text", typeName)
					}
					text, err := strconv.Unquote(lit.Value)
					if err != nil {
						return nil, err
					}
					values = append(values, text)
				}
			}
		}
	}
	if len(values) == 0 {
		return nil, fmt.Errorf("%s has no constants of type %s", folder, typeName)
	}
	return values, nil
}

// wireMembers returns the JSON names of a struct's fields.
func wireMembers(folder, typeName string) ([]string, error) {
	files, err := sourceFiles(folder)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || spec.Name.Name != typeName {
				return true
			}
			if s, ok := spec.Type.(*ast.StructType); ok {
				for _, f := range s.Fields.List {
					if f.Tag == nil {
						continue
					}
					tag, err := strconv.Unquote(f.Tag.Value)
					if err != nil {
						continue
					}
					name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
					names = append(names, name)
				}
			}
			return false
		})
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s has no struct %s with JSON names", folder, typeName)
	}
	return names, nil
}
