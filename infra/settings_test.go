package infra_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// source finds the settings that a function reads. It follows names from the
// function's main through our packages, without types: a declaration that is
// mentioned is taken as used, and a type as used with its methods.
type source struct {
	t        *testing.T
	root     string
	packages map[string]*sourcePackage
}

// sourcePackage holds one package's declarations by name. Methods stand under
// the name of their type.
type sourcePackage struct {
	decls map[string][]declaration
}

// declaration is a piece of syntax and the imports of the file it stands in,
// from local name to folder; only ours.
type declaration struct {
	node    ast.Node
	imports map[string]string
}

// newSource reads the module whose root is given.
func newSource(t *testing.T, root string) *source {
	return &source{t: t, root: root, packages: map[string]*sourcePackage{}}
}

// settings returns the names of the environment variables that the function
// in a folder reads, each with the place.
func (s *source) settings(folder string) map[string]string {
	s.t.Helper()
	found := map[string]string{}
	type name struct{ folder, name string }
	seen := map[name]bool{}
	var reach func(n name)
	reach = func(n name) {
		if seen[n] {
			return
		}
		seen[n] = true
		for _, d := range s.load(n.folder).decls[n.name] {
			ast.Inspect(d.node, func(node ast.Node) bool {
				switch node := node.(type) {
				case *ast.SelectorExpr:
					if x, ok := node.X.(*ast.Ident); ok {
						if imported, ok := d.imports[x.Name]; ok {
							reach(name{imported, node.Sel.Name})
						}
					}
				case *ast.Ident:
					reach(name{n.folder, node.Name})
				case *ast.Field:
					for _, v := range s.tagged(node) {
						found[v] = n.folder + "." + n.name
					}
				case *ast.CallExpr:
					if v := looksUp(node); v != "" {
						found[v] = n.folder + "." + n.name
					}
				}
				return true
			})
		}
	}
	reach(name{folder, "main"})
	return found
}

// tagged reads a field's tag `env:"NAME, option"`.
func (s *source) tagged(field *ast.Field) []string {
	if field.Tag == nil {
		return nil
	}
	text, err := strconv.Unquote(field.Tag.Value)
	if err != nil {
		s.t.Fatalf("the tag %s: %v", field.Tag.Value, err)
	}
	tag, ok := reflect.StructTag(text).Lookup("env")
	if !ok {
		return nil
	}
	if strings.Contains(tag, "prefix=") {
		s.t.Errorf("the tag `env:%q` puts a setting's name together; write it whole, so that it can be searched for",
			tag)
	}
	name, _, _ := strings.Cut(tag, ",")
	if name = strings.TrimSpace(name); name == "" {
		return nil
	}
	return []string{name}
}

// looksUp returns the variable that os.Getenv or os.LookupEnv is asked for.
func looksUp(call *ast.CallExpr) string {
	fn, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) != 1 {
		return ""
	}
	pkg, ok := fn.X.(*ast.Ident)
	arg, literal := call.Args[0].(*ast.BasicLit)
	if !ok || !literal || pkg.Name != "os" || (fn.Sel.Name != "Getenv" && fn.Sel.Name != "LookupEnv") {
		return ""
	}
	name, _ := strconv.Unquote(arg.Value)
	return name
}

// load parses the production files of one of our folders.
func (s *source) load(folder string) *sourcePackage {
	if p, ok := s.packages[folder]; ok {
		return p
	}
	p := &sourcePackage{decls: map[string][]declaration{}}
	s.packages[folder] = p
	files, err := filepath.Glob(filepath.Join(s.root, filepath.FromSlash(folder), "*.go"))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			s.t.Fatal(err)
		}
		p.add(syntax)
	}
	return p
}

func (p *sourcePackage) add(file *ast.File) {
	imports := map[string]string{}
	for _, spec := range file.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		folder, isOurs := strings.CutPrefix(imported, module+"/")
		if !isOurs {
			continue
		}
		local := path.Base(folder)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		imports[local] = folder
	}
	put := func(name string, node ast.Node) {
		p.decls[name] = append(p.decls[name], declaration{node, imports})
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			put(receiverOr(decl), decl)
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					put(spec.Name.Name, spec)
				case *ast.ValueSpec:
					for _, n := range spec.Names {
						put(n.Name, spec)
					}
				}
			}
		}
	}
}

// receiverOr names a function, or the type whose method it is.
func receiverOr(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	name := ""
	ast.Inspect(fn.Recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name
		}
		return name == ""
	})
	return name
}
