// Lists the mutants of the Go files whose paths are its standard input, a line each: a JSON object a line, with the bytes that
// change. main.py plants them.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// mutant is one simple fault: the bytes [From, To) of a file become Text.
type mutant struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Function string `json:"function"` // with the type it is a method of
	Mutation string `json:"mutation"`
	Source   string `json:"source"` // the line, as it was
	From     int    `json:"from"`
	To       int    `json:"to"`
	Text     string `json:"text"`
}

// What is only told to people: no client of the API server sees the difference.
var forPeople = regexp.MustCompile(`^(logger|klog|glog)\.|\.V\(|[rR]ecorder\.|[rR]ecordClaimEvent|[rR]ecordPodEvent|metrics\.|utilruntime\.Handle(Error|Crash)|^defer `)

var otherwise = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD,
}

// finder walks one file.
type finder struct {
	path     string
	source   []byte
	lines    []string
	files    *token.FileSet
	function string
	whole    map[ast.Expr]bool // comparisons that are a condition by themselves
}

func (f *finder) at(p token.Pos) int     { return f.files.Position(p).Offset }
func (f *finder) text(n ast.Node) string { return string(f.source[f.at(n.Pos()):f.at(n.End())]) }
func (f *finder) same(n ast.Node, with string) {
	f.put(n.Pos(), n.End(), strings.ReplaceAll(with, "@", f.text(n)), with)
}

func (f *finder) put(from, to token.Pos, text, mutation string) {
	place := f.files.Position(from)
	found := mutant{f.path, place.Line, f.function, mutation, strings.TrimSpace(f.lines[place.Line-1]), f.at(from), f.at(to), text}
	encoded, _ := json.Marshal(found)
	fmt.Println(string(encoded))
}

func (f *finder) condition(c ast.Expr) {
	f.same(c, "(@) && false")
	f.same(c, "(@) || true")
	if comparison, is := c.(*ast.BinaryExpr); is && (comparison.Op == token.EQL || comparison.Op == token.NEQ) {
		f.whole[c] = true
	}
}

func (f *finder) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case *ast.FuncDecl:
		f.function = n.Name.Name
		if n.Recv != nil {
			f.function = strings.TrimLeft(f.text(n.Recv.List[0].Type), "*") + "." + f.function
		}
	case *ast.GenDecl, *ast.DeferStmt:
		return nil
	case *ast.ExprStmt:
		if forPeople.MatchString(f.text(n)) {
			return nil
		}
		f.put(n.Pos(), n.End(), "", "deleted")
	case *ast.IfStmt:
		f.condition(n.Cond)
	case *ast.ForStmt:
		if n.Cond != nil {
			f.same(n.Cond, "(@) && false")
		}
	case *ast.BinaryExpr:
		other, is := otherwise[n.Op]
		if is && !f.whole[n] { // the contrary of a whole condition is noticed where its never or its always is
			f.put(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), other.String(), n.Op.String()+" becomes "+other.String())
		}
	case *ast.BasicLit:
		if number, err := strconv.Atoi(n.Value); err == nil && n.Kind == token.INT {
			f.put(n.Pos(), n.End(), strconv.Itoa(number+1), n.Value+" becomes "+strconv.Itoa(number+1))
		}
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			f.put(n.Pos(), n.Pos()+1, "", "! deleted")
		}
	case *ast.AssignStmt:
		if forPeople.MatchString(f.text(n)) {
			return nil
		}
		if n.Tok != token.DEFINE {
			f.put(n.Pos(), n.End(), "_ = "+f.text(n.Rhs[0]), "deleted, but for its right side")
		}
	case *ast.IncDecStmt:
		f.put(n.Pos(), n.End(), "", "deleted")
	case *ast.BranchStmt:
		if n.Label == nil {
			f.put(n.Pos(), n.End(), "", "deleted")
		}
	case *ast.ReturnStmt:
		f.results(n)
	}
	return f
}

// results swallows an error and turns a truth round.
func (f *finder) results(n *ast.ReturnStmt) {
	for _, result := range n.Results {
		switch text := f.text(result); {
		case text == "err":
			f.put(result.Pos(), result.End(), "nil", "err becomes nil")
		case text == "true":
			f.put(result.Pos(), result.End(), "false", "true becomes false")
		case text == "false":
			f.put(result.Pos(), result.End(), "true", "false becomes true")
		}
	}
}

func main() {
	paths := bufio.NewScanner(os.Stdin)
	for paths.Scan() {
		path := paths.Text()
		source, err := os.ReadFile(path)
		if err == nil {
			files := token.NewFileSet()
			var parsed *ast.File
			if parsed, err = parser.ParseFile(files, path, source, 0); err == nil {
				ast.Walk(&finder{path: path, source: source, lines: strings.Split(string(source), "\n"), files: files, whole: map[ast.Expr]bool{}}, parsed)
			}
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "ci/mutate-upstream:", err)
			os.Exit(2)
		}
	}
}
