// Parser: reading a sort key as an expression, with the offset of what is wrong.

package ordering

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// problem is an error in a key, at an offset in bytes.
type problem struct {
	at   int
	text string
}

func (p *problem) Error() string { return p.text }

// columnOf returns the column, from 1 on, of an error in the key that begins at an offset.
func columnOf(text string, offset int, err error) int {
	var p *problem
	if errors.As(err, &p) {
		offset += p.at
	}
	return utf8.RuneCountInString(text[:offset]) + 1
}

// parser reads an expression from the left; its methods panic with a *problem.
type parser struct {
	text string
	at   int // offset of the next character
}

// parseExpression reads a whole key.
func parseExpression(text string) (e expression, err error) {
	p := parser{text: text}
	defer func() {
		if wrong := recover(); wrong != nil {
			found, ours := wrong.(*problem)
			if !ours {
				panic(wrong)
			}
			err = found
		}
	}()
	p.next()
	start := p.at
	e = p.sum()
	if p.next() != 0 {
		p.fail(p.at, "%q does not belong here: write an operator, such as +, or a comma and another key", p.character())
	}
	if e.constant {
		p.fail(start, "the value is the same for all jobs: write one that uses %s", variableNames())
	}
	return e, nil
}

// character returns the character that is read next, which may be no ASCII.
func (p *parser) character() rune {
	c, _ := utf8.DecodeRuneInString(p.text[p.at:])
	return c
}

func (p *parser) fail(at int, format string, values ...any) {
	panic(&problem{at, fmt.Sprintf(format, values...)})
}

// skip goes past the next characters that are among these.
func (p *parser) skip(characters string) {
	p.at = len(p.text) - len(strings.TrimLeft(p.text[p.at:], characters))
}

// next returns the character that is read next, after spaces, and 0 at the end.
func (p *parser) next() byte {
	p.skip(" \t")
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

// take reads one of the characters, if it is next, and returns it with its offset; else 0.
func (p *parser) take(characters string) (c byte, at int) {
	if c = p.next(); c == 0 || !strings.Contains(characters, string(c)) {
		return 0, p.at
	}
	p.at++
	return c, p.at - 1
}

// sum reads products with + and - between them.
func (p *parser) sum() expression {
	e := p.product()
	for {
		operator, at := p.take("+-")
		if operator == 0 {
			return e
		}
		e = p.checked(at, binary(operator, e, p.product()))
	}
}

// product reads signed powers with * and / between them.
func (p *parser) product() expression {
	e := p.signed()
	for {
		operator, at := p.take("*/")
		if operator == 0 {
			return e
		}
		right := p.signed()
		if operator == '/' && right.low <= 0 && right.high >= 0 {
			p.fail(at, "division by zero: %s; divide by what cannot be 0, such as estimate, wait + 1 or max(…, 1)",
				right.canBe(0))
		}
		e = p.checked(at, binary(operator, e, right))
	}
}

// signed reads a power with any signs before it.
func (p *parser) signed() expression {
	sign, _ := p.take("+-")
	if sign == 0 {
		return p.power()
	}
	e := p.signed()
	if sign == '-' {
		return negated(e)
	}
	return e
}

// power reads a value, and its exponent where there is one.
func (p *parser) power() expression {
	base := p.primary()
	caret, at := p.take("^")
	if caret == 0 {
		return base
	}
	exponent := p.signed()
	n, whole := exponent.whole()
	switch {
	case whole && n < 0 && base.low <= 0 && base.high >= 0:
		p.fail(at, "division by zero: %s, and the exponent is %d; write max(…, 1)^%d", base.canBe(0), n, n)
	case whole:
		return p.checked(at, wholePower(base, n))
	case base.low < 0:
		p.fail(at, "%s: a negative number has powers only of whole exponents from -%d to %d", base.canBe(base.low),
			mostPower, mostPower)
	case base.low == 0 && exponent.low < 0:
		p.fail(at, "division by zero: %s, and the exponent can be negative; write max(…, 1)^…", base.canBe(0))
	}
	return p.checked(at, power(base, exponent))
}

// checked returns an expression whose values are finite numbers.
func (p *parser) checked(at int, e expression) expression {
	if !e.finite() {
		p.fail(at, "the value can be too large for a floating-point number, 1e308: write smaller exponents or factors")
	}
	return e
}

// primary reads a number, a variable, a call or an expression in parentheses.
func (p *parser) primary() expression {
	c := p.next()
	switch {
	case c == '(':
		_, open := p.take("(")
		e := p.sum()
		if closing, _ := p.take(")"); closing == 0 {
			p.fail(open, "this parenthesis is not closed")
		}
		return e
	case c >= '0' && c <= '9' || c == '.':
		return p.number()
	case letter(c):
		at := p.at
		for p.at < len(p.text) && (letter(p.text[p.at]) || p.text[p.at] >= '0' && p.text[p.at] <= '9') {
			p.at++
		}
		return p.named(at, p.text[at:p.at])
	case c == 0:
		p.fail(p.at, "a value is missing: write a number or %s", variableNames())
	default:
		p.fail(p.at, "%q does not belong here: write a number or %s", p.character(), variableNames())
	}
	panic("unreachable")
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

// number reads a number such as 2, .5 or 8.70e2.
func (p *parser) number() expression {
	const digits = "0123456789"
	start := p.at
	p.skip(digits)
	if p.at < len(p.text) && p.text[p.at] == '.' {
		p.at++
		p.skip(digits)
	}
	if p.at < len(p.text) && (p.text[p.at] == 'e' || p.text[p.at] == 'E') {
		p.at++
		if p.at < len(p.text) && (p.text[p.at] == '+' || p.text[p.at] == '-') {
			p.at++
		}
		p.skip(digits)
	}
	value, err := strconv.ParseFloat(p.text[start:p.at], 64)
	if err != nil {
		p.fail(start, "%q is no number, or one too large: write one such as 870, 0.5 or 8.7e2", p.text[start:p.at])
	}
	return number(value)
}

// named returns the variable of that name, or reads the arguments of the function.
func (p *parser) named(at int, name string) expression {
	for _, v := range variables {
		if v.name == name {
			return v.expression()
		}
	}
	i := slices.IndexFunc(functions, func(f function) bool { return f.name == name })
	if i < 0 {
		p.fail(at, "there is no %q; variables are %s, functions %s, orders %s", name, variableNames(),
			functionNames(), strings.Join(namesWithMeaning(), ", "))
	}
	f := functions[i]
	if open, _ := p.take("("); open == 0 {
		p.fail(at, "%s is a function: write %s", name, f.usage())
	}
	arguments := []expression{p.sum()}
	for comma, _ := p.take(","); comma != 0; comma, _ = p.take(",") {
		arguments = append(arguments, p.sum())
	}
	if closing, _ := p.take(")"); closing == 0 {
		p.fail(at, "the parenthesis of %s is not closed", name)
	}
	if len(arguments) < f.least || len(arguments) > f.most {
		p.fail(at, "%s has %d arguments: write %s", name, len(arguments), f.usage())
	}
	if argument := arguments[0]; argument.low < f.domain || f.open && argument.low == f.domain {
		p.fail(at, "%s of what can be too small: %s; write %s", name, argument.canBe(argument.low), f.safe)
	}
	return f.apply(arguments)
}
