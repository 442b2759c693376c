package infra_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// People read the sentence of a failure and what a preview warns of, so those name no tool,
// which only models call by its name.
func TestSentencesNameNoTool(t *testing.T) {
	t.Parallel()
	snake := regexp.MustCompile(`\b[a-z]+(?:_[a-z]+)+\b`)
	names := map[string]bool{}
	type sentence struct{ at, text string }
	var sentences []sentence
	set := token.NewFileSet()
	err := filepath.WalkDir(filepath.Join(root, "pkg"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Name" {
					if name := stringOf(n.Value); snake.FindString(name) == name && name != "" {
						names[name] = true
					}
				}
			case *ast.CallExpr:
				if !isSaid(n.Fun) {
					return true
				}
				for _, arg := range n.Args {
					if text := stringOf(arg); snake.MatchString(text) {
						sentences = append(sentences, sentence{set.Position(arg.Pos()).String(), text})
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(names) < 100 || !names["search_flights"] || !names["search_reservations"] {
		t.Fatalf("only %d tools were found", len(names))
	}
	for _, s := range sentences {
		for _, name := range snake.FindAllString(s.text, -1) {
			if names[name] {
				t.Errorf("%s: %q names the tool %s: say what to do in words of its users", s.at, s.text, name)
			}
		}
	}
}

// isSaid says whether a call makes a sentence for people: one of package fault, or a
// warning of a preview.
func isSaid(fun ast.Expr) bool {
	called, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	of, ok := called.X.(*ast.Ident)
	return ok && of.Name == "fault" || called.Sel.Name == "warn"
}

// stringOf returns what a literal or a sum of literals says, "" for anything else.
func stringOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		if err != nil || e.Kind != token.STRING {
			return ""
		}
		return text
	case *ast.BinaryExpr:
		return stringOf(e.X) + stringOf(e.Y)
	}
	return ""
}
