package infra_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// intrinsic is a short-form function of CloudFormation, such as !Ref Name.
type intrinsic struct {
	tag string // with the exclamation mark
	arg any
}

// readTemplate returns template.yaml as maps, lists, scalars and intrinsics.
func readTemplate(t *testing.T) map[string]any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "template.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	value, err := parseYAML(text)
	if err != nil {
		t.Fatalf("template.yaml: %v", err)
	}
	template, ok := value.(map[string]any)
	if !ok {
		t.Fatalf("template.yaml is a %T, want a mapping", value)
	}
	return template
}

// parseYAML reads one YAML document. It refuses duplicate keys, anchors and
// whatever else a deployment file has no need of.
func parseYAML(text []byte) (any, error) {
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, err
	}
	if len(file.Docs) != 1 {
		return nil, fmt.Errorf("%d documents, want one", len(file.Docs))
	}
	return valueOf(file.Docs[0].Body)
}

func valueOf(node ast.Node) (any, error) {
	switch n := node.(type) {
	case *ast.TagNode:
		arg, err := valueOf(n.Value)
		return intrinsic{tag: n.Start.Value, arg: arg}, err
	case *ast.MappingNode:
		return mapOf(n.Values)
	case *ast.MappingValueNode:
		return mapOf([]*ast.MappingValueNode{n})
	case *ast.SequenceNode:
		list := make([]any, 0, len(n.Values))
		for _, item := range n.Values {
			value, err := valueOf(item)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, nil
	case *ast.LiteralNode:
		return n.Value.Value, nil
	case *ast.StringNode:
		return n.Value, nil
	case *ast.IntegerNode:
		switch v := n.Value.(type) {
		case uint64:
			return int(v), nil
		case int64:
			return int(v), nil
		}
	case *ast.FloatNode:
		return n.Value, nil
	case *ast.BoolNode:
		return n.Value, nil
	}
	return nil, fmt.Errorf("line %d: %s is not understood here", node.GetToken().Position.Line, node.Type())
}

func mapOf(entries []*ast.MappingValueNode) (map[string]any, error) {
	m := make(map[string]any, len(entries))
	for _, e := range entries {
		key, ok := e.Key.(*ast.StringNode)
		if !ok {
			return nil, fmt.Errorf("line %d: the key %s is no plain name", e.GetToken().Position.Line, e.Key)
		}
		if _, twice := m[key.Value]; twice {
			return nil, fmt.Errorf("line %d: %s is there twice", e.GetToken().Position.Line, key.Value)
		}
		value, err := valueOf(e.Value)
		if err != nil {
			return nil, err
		}
		m[key.Value] = value
	}
	return m, nil
}

// at walks into nested mappings and returns what is there, or nil.
func at(value any, path ...string) any {
	for _, key := range path {
		m, _ := value.(map[string]any)
		value = m[key]
	}
	return value
}

// mapAt is at for a mapping; a missing one is empty.
func mapAt(value any, path ...string) map[string]any {
	m, _ := at(value, path...).(map[string]any)
	return m
}
