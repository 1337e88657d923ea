"""JavaScript in the intermediate language. TypeScript's types are left out."""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from unknot.web.readers.interpreter import code as c
from unknot.web.readers.interpreter import values as v
from unknot.web.readers.interpreter.grammars import parsed
from unknot.web.readers.interpreter.lowering import (
    Lowering,
    child_of,
    line_of,
    named,
    text_at,
    text_of,
    unwrapped,
)

if TYPE_CHECKING:
    from tree_sitter import Node


class Import(c.Code):
    """`names` are pairs of the name there and the name here; "*" there is everything, as one object."""

    source: str
    names: tuple[tuple[str, str], ...]


class Imported(c.Code):
    """One name of another file, found when it is read."""

    source: str
    name: str


class Export(c.Code):
    """`inner` declares something; `names` are pairs of the name here and the name for others. `source` is the file that
    the names are of, if it is another one; then "*" is all of them."""

    inner: c.Code | None
    names: tuple[tuple[str, str], ...] = ()
    source: str = ""


@dataclass(frozen=True, eq=False)
class ModuleCode:
    """`broken`: lines that do not parse and lie outside functions."""

    path: str
    steps: tuple[c.Code, ...]
    broken: list[int] = field(default_factory=list)


def module_code(path: str, source: str) -> ModuleCode:
    grammar = "tsx" if path.endswith("x") else "typescript" if path.endswith("ts") else "javascript"
    lowering = JavaScriptLowering(path)
    root = parsed(source, grammar)
    lowering.lower(root)
    return ModuleCode(path, tuple(map(lowering.of, unwrapped(list(named(root))))), lowering.broken)


class JavaScriptLowering(Lowering):
    functions: ClassVar[frozenset[str]] = v.words(
        "function_declaration function_expression generator_function_declaration generator_function arrow_function",
        "method_definition",
    )
    silent: ClassVar[frozenset[str]] = v.words(
        "type_annotation type_arguments type_parameters type_alias_declaration interface_declaration comment"
    )
    loop_fields: ClassVar[tuple[str, str]] = ("initializer", "increment")

    def visit_function_declaration(self, node: "Node") -> c.Code:
        is_arrow = node.type == "arrow_function"
        only = self.maybe(node, "parameter")
        listed = node.child_by_field_name("parameters")
        body = self.field(node, "body")
        if is_arrow and not isinstance(body, c.CodeBlock):
            body = c.Return(body.line or line_of(node), body)
        kept = _parameter_fields(listed)
        if kept and isinstance(body, c.CodeBlock):
            body = c.CodeBlock(body.line, (*kept, *body.steps))
        return c.FunctionCode(
            line_of(node),
            text_at(node, "name") or _name_around(node),
            self.file,
            self.all(listed) if only is None else (only,),
            body,
            is_arrow=is_arrow,
            damage=self.damage(node),
        )

    visit_function_expression = visit_function_declaration
    visit_generator_function_declaration = visit_function_declaration
    visit_generator_function = visit_function_declaration
    visit_arrow_function = visit_function_declaration
    visit_method_definition = visit_function_declaration

    def visit_required_parameter(self, node: "Node") -> c.Code:
        """TypeScript's, with its type and default."""
        pattern, value = self.field(node, "pattern"), self.maybe(node, "value")
        return pattern if value is None else c.Default(line_of(node), pattern, value)

    visit_optional_parameter = visit_required_parameter

    def visit_class_declaration(self, node: "Node") -> c.Code:
        body = node.child_by_field_name("body")
        members = [self._member(child) for child in (named(body) if body is not None else ())]
        return c.ClassCode(
            line_of(node),
            text_at(node, "name") or _name_around(node) or "class",
            self.file,
            superclass=self._superclass(child_of(node, "class_heritage")),
            members=tuple(member for member in members if member is not None),
        )

    visit_abstract_class_declaration = visit_class_declaration
    visit_class = visit_class_declaration

    def _superclass(self, heritage: "Node | None") -> c.Code | None:
        for child in [] if heritage is None else named(heritage):
            if child.type == "extends_clause":
                return self.field(child, "value")
            if child.type != "implements_clause":
                return self.of(child)
        return None

    def _member(self, node: "Node") -> c.MemberCode | None:
        keywords = {child.type for child in node.children if not child.is_named}
        is_static = "static" in keywords
        if node.type == "method_definition":
            named_by = self.key(node.child_by_field_name("name"))
            name = named_by.text if isinstance(named_by, c.Literal) else ""
            kind = "constructor" if name == "constructor" else "getter" if "get" in keywords else "method"
            return None if "set" in keywords else c.MemberCode(line_of(node), name, kind, self.of(node), is_static)
        if node.type in ("public_field_definition", "field_definition"):
            name = text_at(node, "name") or text_at(node, "property")
            return c.MemberCode(line_of(node), name, "field", self.maybe(node, "value"), is_static)
        return None

    def visit_import_statement(self, node: "Node") -> c.Code:
        names: list[tuple[str, str]] = []
        waiting = [child for child in named(node) if child.type == "import_clause"]
        while waiting:
            part = waiting.pop()
            if part.type == "import_specifier":
                name = text_at(part, "name").strip("'\"")
                names.append((name, text_at(part, "alias") or name))
            elif part.type == "namespace_import":
                names.append(("*", text_of(next(named(part), None))))
            elif part.type == "identifier":
                names.append(("default", text_of(part)))
            else:
                waiting.extend(named(part))
        return Import(line_of(node), text_at(node, "source")[1:-1], tuple(names))

    def visit_export_statement(self, node: "Node") -> c.Code:
        source, line = text_at(node, "source")[1:-1], line_of(node)
        declared = self.maybe(node, "declaration") or self.maybe(node, "value")
        if declared is not None:
            return Export(line, declared, (("", "default"),) if child_of(node, "default") is not None else ())
        clause = child_of(node, "export_clause")
        if clause is not None:
            specifiers = [child for child in named(clause) if child.type == "export_specifier"]
            pairs = [(text_at(one, "name"), text_at(one, "alias") or text_at(one, "name")) for one in specifiers]
            return Export(line, None, tuple(pairs), source)
        space = child_of(node, "namespace_export")
        if source:
            return Export(line, None, (("*", text_of(next(named(space), None)) if space is not None else "*"),), source)
        return Export(line, self.of(next(named(node), None)), (("", "default"),))

    def visit_string(self, node: "Node") -> c.Code:
        return c.Literal(line_of(node), unescaped(text_of(node)[1:-1]))

    def visit_template_string(self, node: "Node") -> c.Code:
        """Texts and what stands in `${…}` between them. Older grammars do not name the texts: they are cut out here."""
        source, start = node.text or b"", node.start_byte
        parts: list[c.Code] = []
        end = 1
        for child in named(node):
            if child.type != "template_substitution":
                continue
            parts.append(_piece(node, source[end : child.start_byte - start]))
            parts.append(self.of(next(named(child), None)))
            end = child.end_byte - start
        last = _piece(node, source[end:-1])
        return c.Joined(line_of(node), (*parts, last)) if parts else last

    def visit_number(self, node: "Node") -> c.Code:
        return c.Literal(line_of(node), text_of(node), is_text=False)

    visit_true = visit_number
    visit_false = visit_number

    def visit_regex(self, node: "Node") -> c.Code:
        """What it looks for is used; as a value nothing is known of it, since it is no text that could be typed."""
        looked_for = c.Literal(line_of(node), looked_for_by(text_at(node, "pattern")))
        return c.After(line_of(node), looked_for, c.NOTHING)

    def visit_member_expression(self, node: "Node") -> c.Code:
        name = node.child_by_field_name("property")
        line = line_of(name) if name is not None else line_of(node)
        return c.Member(line, self.field(node, "object"), text_of(name))

    def visit_subscript_expression(self, node: "Node") -> c.Code:
        return c.Index(line_of(node), self.field(node, "object"), self.field(node, "index"))

    def visit_call_expression(self, node: "Node") -> c.Code:
        arguments = node.child_by_field_name("arguments")
        callee = self.field(node, "function")
        is_tagged = arguments is not None and arguments.type == "template_string"
        given = (self.of(arguments),) if is_tagged else self.all(arguments)
        return c.Call(callee.line or line_of(node), callee, given)

    def visit_import(self, node: "Node") -> c.Code:
        return c.Name(line_of(node), "require")

    def visit_new_expression(self, node: "Node") -> c.Code:
        return c.New(line_of(node), self.field(node, "constructor"), self.arguments(node))

    def visit_object(self, node: "Node") -> c.Code:
        entries: list[tuple[c.Code | None, c.Code]] = []
        for child in named(node):
            code = self.of(child)
            line = line_of(child)
            if child.type == "pair":
                entries.append((self.key(child.child_by_field_name("key")), self.field(child, "value")))
            elif child.type == "spread_element" and isinstance(code, c.Spread):
                entries.append((None, code.of))
            elif child.type == "shorthand_property_identifier":
                entries.append((c.Literal(line, text_of(child)), c.Name(line, text_of(child))))
            elif child.type == "method_definition":
                entries.append((self.key(child.child_by_field_name("name")), code))
        return c.RecordOf(line_of(node), tuple(entries))

    def key(self, node: "Node | None") -> c.Code:
        """The name of an entry, as a text; a computed one is an expression."""
        if node is None:
            return c.NOTHING
        if node.type in ("computed_property_name", "string"):
            return self.of(node)
        return c.Literal(line_of(node), text_of(node))

    def visit_spread_element(self, node: "Node") -> c.Code:
        return c.Spread(line_of(node), self.visit_await_expression(node))

    visit_rest_pattern = visit_spread_element

    def visit_binary_expression(self, node: "Node") -> c.Code:
        left, right = self.field(node, "left"), self.field(node, "right")
        match text_at(node, "operator"):
            case "||" | "??":
                return c.Either(line_of(node), (left, right))
            case "&&":
                return c.After(line_of(node), left, right)
        return super().visit_binary_expression(node)

    def visit_assignment_expression(self, node: "Node") -> c.Code:
        operator, target, value = text_at(node, "operator"), self.field(node, "left"), self.field(node, "right")
        if operator in ("||=", "??="):
            value = c.Either(line_of(node), (target, value))
        return c.Assign(line_of(node), target, value, operator == "+=")

    visit_augmented_assignment_expression = visit_assignment_expression

    def visit_sequence_expression(self, node: "Node") -> c.Code:
        parts = self.all(node)
        return c.After(line_of(node), c.Together(line_of(node), parts[:-1]), parts[-1]) if parts else c.NOTHING

    def visit_await_expression(self, node: "Node") -> c.Code:
        """`x as T`, `x!`, `x satisfies T`, `await x`, `(x)`: the value alone."""
        return self.of(next(named(node), None))

    visit_as_expression = visit_await_expression
    visit_satisfies_expression = visit_await_expression
    visit_non_null_expression = visit_await_expression

    def visit_type_assertion(self, node: "Node") -> c.Code:
        """`<T>x`."""
        parts = self.all(node)
        return parts[-1] if parts else c.NOTHING

    def visit_assignment_pattern(self, node: "Node") -> c.Code:
        return c.Default(line_of(node), self.field(node, "left"), self.field(node, "right"))

    visit_object_assignment_pattern = visit_assignment_pattern

    def visit_array_pattern(self, node: "Node") -> c.Code:
        """`[, second]`: an element without a name has its place, too."""
        parts: list[c.Code] = [c.NOTHING]
        for child in node.children:
            if child.type == ",":
                parts.append(c.NOTHING)
            elif child.is_named and not child.is_extra:
                parts[-1] = self.of(child)
        return c.ListOf(line_of(node), tuple(parts))

    def visit_object_pattern(self, node: "Node") -> c.Code:
        entries: list[tuple[str | None, c.Code]] = []
        for child in named(node):
            code = self.of(child)
            if child.type == "pair_pattern":
                entries.append((text_at(child, "key").strip("'\""), self.field(child, "value")))
            elif child.type == "object_assignment_pattern" and isinstance(code, c.Default):
                entries.append((text_at(child, "left"), code))
            elif child.type == "rest_pattern" and isinstance(code, c.Spread):
                entries.append((None, code.of))
            else:
                entries.append((text_of(child), c.Name(line_of(child), text_of(child))))
        return c.RecordPattern(line_of(node), tuple(entries))

    def visit_for_in_statement(self, node: "Node") -> c.Code:
        """`for (const x of xs)`, and `for (const key in record)`."""
        target, over, body = (self.field(node, name) for name in ("left", "right", "body"))
        return c.Loop(line_of(node), target, over, body, keys=text_at(node, "operator") == "in")

    def visit_switch_statement(self, node: "Node") -> c.Code:
        body = node.child_by_field_name("body")
        cases = [] if body is None else list(named(body))
        values = {value.id for value in (case.child_by_field_name("value") for case in cases) if value is not None}
        blocks = [tuple(self.of(child) for child in named(case) if child.id not in values) for case in cases]
        arms = tuple(c.CodeBlock(line_of(case), steps) for case, steps in zip(cases, blocks, strict=True))
        return c.Branch(line_of(node), self.field(node, "value"), arms)

    def visit_enum_declaration(self, node: "Node") -> c.Code:
        """A record by another name; a member without a value has its number, which is left out."""
        body = node.child_by_field_name("body")
        entries: list[tuple[c.Code | None, c.Code]] = []
        for child in named(body) if body is not None else ():
            is_given = child.type == "enum_assignment"
            name = text_at(child, "name") if is_given else text_of(child)
            value = self.field(child, "value") if is_given else c.NOTHING
            entries.append((c.Literal(line_of(child), name.strip("'\"")), value))
        target = c.Name(line_of(node), text_at(node, "name"))
        return c.Declare(line_of(node), target, c.RecordOf(line_of(node), tuple(entries)))

    visit_shorthand_property_identifier_pattern = Lowering.visit_identifier

    def visit_internal_module(self, node: "Node") -> c.Code:
        return self.field(node, "body")


def _name_around(node: "Node") -> str:
    """An unnamed function goes by what it is assigned to; one that is an argument, by a text before it: a test's
    title."""
    around = node.parent
    if around is None:
        return ""
    if around.type == "arguments":
        first = next(named(around), None)
        return text_of(first)[1:-1] if first is not None and first.type in ("string", "template_string") else ""
    field_name = {"variable_declarator": "name", "pair": "key", "assignment_expression": "left"}.get(around.type, "")
    return text_at(around, field_name) if field_name else ""


def _parameter_fields(parameters: "Node | None") -> tuple[c.Code, ...]:
    """TypeScript's `constructor(private page: Page)`: a field of the same name."""
    fields: list[c.Code] = []
    for one in [] if parameters is None else named(parameters):
        pattern = one.child_by_field_name("pattern")
        is_field = any(child.type in ("accessibility_modifier", "readonly") for child in one.children)
        if is_field and pattern is not None:
            line, name = line_of(one), text_of(pattern)
            fields.append(c.Assign(line, c.Member(line, c.Name(line, "this"), name), c.Name(line, name)))
    return tuple(fields)


def _piece(node: "Node", written: bytes) -> c.Literal:
    return c.Literal(line_of(node), unescaped(written.decode("utf-8", "replace")))


_ESCAPE = re.compile(r"\\(u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|.)", re.DOTALL)
_CLASS = re.compile(r"\\(?:([^\w\s])|[a-zA-Z][+*?]?)")
_NAMED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}


def unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: _meaning(found.group(1)), text)


def looked_for_by(pattern: str) -> str:
    """The text that a regular expression looks for, as far as it is written out. Signs of the expression stay in it:
    around words they do no harm.

    >>> looked_for_by(r"^Hello,\\s+ann\\.lee\\/x$")
    '^Hello, ann.lee/x$'
    """
    return _CLASS.sub(lambda found: " " if found.group(1) is None else found.group(1), pattern)


def _meaning(escape: str) -> str:
    if escape in _NAMED:
        return _NAMED[escape]
    digits = escape[1:].strip("{}")
    if escape[0] in "ux" and digits:
        number = int(digits, 16)
        return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "?"
    return escape
