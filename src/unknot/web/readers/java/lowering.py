"""Java in the intermediate language."""

import re
from dataclasses import dataclass, field
from textwrap import dedent
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
    type_name,
    unwrapped,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_CLASSES = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "record",
}


@dataclass(eq=False)
class JavaFile:
    """`imports` by simple name; `wildcards` are packages and, of static imports, classes. `broken`: lines that do not
    parse and lie outside methods."""

    path: str
    package: str = ""
    imports: dict[str, str] = field(default_factory=dict)
    static_imports: dict[str, str] = field(default_factory=dict)
    wildcards: list[str] = field(default_factory=list)
    static_wildcards: list[str] = field(default_factory=list)
    import_lines: dict[str, int] = field(default_factory=dict)
    classes: list[c.ClassCode] = field(default_factory=list)
    broken: list[int] = field(default_factory=list)


def java_file(path: str, source: str) -> JavaFile:
    lowering = JavaLowering(path)
    root = parsed(source, "java")
    lowering.lower(root)
    file = JavaFile(path, broken=lowering.broken)
    for node in unwrapped(list(named(root))):
        code = lowering.of(node)
        if node.type == "package_declaration":
            file.package = _qualified_name(node)
        elif node.type == "import_declaration":
            _import(file, node)
        elif isinstance(code, c.ClassCode):
            file.classes.append(code)
    return file


def _qualified_name(node: "Node") -> str:
    return text_of(next((part for part in named(node) if "identifier" in part.type), None))


def _import(file: JavaFile, node: "Node") -> None:
    name = _qualified_name(node)
    is_static = child_of(node, "static") is not None
    if child_of(node, "asterisk") is not None:
        (file.static_wildcards if is_static else file.wildcards).append(name)
        return
    owner, _, last = name.rpartition(".")
    if is_static:
        file.static_imports[last] = owner
    else:
        file.imports[last] = name
        file.import_lines[last] = line_of(node)


class JavaLowering(Lowering):
    functions: ClassVar[frozenset[str]] = v.words("method_declaration constructor_declaration lambda_expression")
    silent: ClassVar[frozenset[str]] = v.words(
        "scoped_identifier type_arguments scoped_type_identifier generic_type switch_label modifiers comment",
        "import_declaration package_declaration",
    )
    loop_fields: ClassVar[tuple[str, str]] = ("init", "update")

    def visit_class_declaration(self, node: "Node") -> c.Code:
        kind = _CLASSES[node.type]
        body = node.child_by_field_name("body")
        annotations, modifiers = self._modifiers(node)
        above = node.child_by_field_name("superclass")
        superclass = type_name(next(named(above), None)) if above is not None else ""
        members = self._members(body, kind)
        if kind == "record":
            parts = node.child_by_field_name("parameters")
            nodes = [] if parts is None else list(named(parts))
            components = [c.MemberCode(line_of(one), text_at(one, "name"), "field", None) for one in nodes]
            members = (*components, *members)
        return c.ClassCode(
            line_of(node),
            text_at(node, "name"),
            self.file,
            kind,
            c.Name(line_of(node), superclass) if superclass else None,
            _interfaces(node),
            members,
            self._inner_classes(body),
            tuple(self._constants(body, text_at(node, "name"))),
            annotations,
            modifiers,
        )

    visit_interface_declaration = visit_class_declaration
    visit_enum_declaration = visit_class_declaration
    visit_record_declaration = visit_class_declaration

    def visit_class_body(self, node: "Node") -> c.Code:
        """A body that belongs to no declaration; those of declarations are made there."""
        if node.parent is None or node.parent.type not in ("object_creation_expression", "enum_constant"):
            return c.NOTHING
        members, inner = self._members(node, "class"), self._inner_classes(node)
        return c.ClassCode(line_of(node), "", self.file, members=members, inner=inner)

    def _inner_classes(self, body: "Node | None") -> tuple[c.ClassCode, ...]:
        codes = map(self.of, _declarations(body))
        return tuple(code for code in codes if isinstance(code, c.ClassCode))

    def _members(self, body: "Node | None", kind: str) -> tuple[c.MemberCode, ...]:
        members: list[c.MemberCode] = []
        for node in _declarations(body):
            annotations, modifiers = self._modifiers(node)
            is_static = "static" in modifiers
            type_of = type_name(node.child_by_field_name("type"))
            if node.type in ("field_declaration", "constant_declaration"):
                is_static = is_static or kind == "interface"
                # A field without a value uses the texts of its annotations: @FindBy(id = "login").
                trace = tuple(value for annotation in annotations for value in annotation.values.values())
                for one in node.children_by_field_name("declarator"):
                    line, name, value = line_of(one), text_at(one, "name"), self.maybe(one, "value")
                    if trace:
                        value = c.After(line, c.Together(line, trace), value or c.NOTHING)
                    members.append(c.MemberCode(line, name, "field", value, is_static, type_of, annotations, modifiers))
            elif node.type in ("block", "static_initializer"):
                is_static = node.type == "static_initializer"
                members.append(c.MemberCode(line_of(node), "", "start", self.of(node), is_static))
            elif node.type in ("method_declaration", "constructor_declaration"):
                sort = node.type.removesuffix("_declaration")
                name, code = text_at(node, "name"), self.of(node)
                members.append(
                    c.MemberCode(line_of(node), name, sort, code, is_static, type_of, annotations, modifiers)
                )
        return tuple(members)

    def _constants(self, body: "Node | None", name: str) -> list[tuple[str, c.New]]:
        nodes = [] if body is None else [node for node in named(body) if node.type == "enum_constant"]
        constants: list[tuple[str, c.New]] = []
        for node in nodes:
            arguments, inner = self.arguments(node), self.field(node, "body")
            anonymous = inner if isinstance(inner, c.ClassCode) else None
            new = c.New(line_of(node), c.Name(line_of(node), name), arguments, anonymous)
            constants.append((text_at(node, "name"), new))
        return constants

    def visit_method_declaration(self, node: "Node") -> c.Code:
        parameters = node.child_by_field_name("parameters")
        nodes = [one for one in named(parameters) if one.type != "receiver_parameter"] if parameters is not None else []
        return c.FunctionCode(
            line_of(node),
            text_at(node, "name"),
            self.file,
            tuple(c.Name(line_of(one), _parameter_name(one)) for one in nodes),
            self.field(node, "body"),
            tuple(type_name(one.child_by_field_name("type")) for one in nodes),
            type_name(node.child_by_field_name("type")),
            is_variadic=any(one.type == "spread_parameter" for one in nodes),
            damage=self.damage(node),
        )

    visit_constructor_declaration = visit_method_declaration

    def visit_lambda_expression(self, node: "Node") -> c.Code:
        line = line_of(node)
        body = self.field(node, "body")
        if not isinstance(body, c.CodeBlock):
            body = c.Return(body.line, body)
        listed = node.child_by_field_name("parameters")
        nodes = [] if listed is None else [listed] if listed.type == "identifier" else list(named(listed))
        parameters = tuple(c.Name(line, _parameter_name(one)) for one in nodes)
        return c.FunctionCode(line, "lambda", self.file, parameters, body, is_arrow=True, damage=self.damage(node))

    def visit_method_reference(self, node: "Node") -> c.Code:
        """`page::open`: a function that hands its one argument on. `Type::new` and `Type::method` are no different."""
        line, parts = line_of(node), node.children
        name = text_of(parts[-1]) if parts else ""
        given = c.Name(line, "argument")
        call = c.Call(line, c.Member(line, self.of(parts[0]) if parts else c.NOTHING, name), (given,))
        return c.FunctionCode(line, name, self.file, (given,), c.Return(line, call), is_arrow=True)

    def _modifiers(self, node: "Node") -> tuple[tuple[c.Annotation, ...], frozenset[str]]:
        holder = child_of(node, "modifiers")
        children = [] if holder is None else holder.children
        annotations = tuple(code for code in map(self.of, children) if isinstance(code, c.Annotation))
        return annotations, frozenset(child.type for child in children if not child.is_named)

    def visit_annotation(self, node: "Node") -> c.Code:
        values: dict[str, c.Code] = {}
        arguments = node.child_by_field_name("arguments")
        for one in [] if arguments is None else named(arguments):
            if one.type == "element_value_pair":
                values[text_at(one, "key")] = self.field(one, "value")
            else:
                values["value"] = self.of(one)
        return c.Annotation(line_of(node), text_at(node, "name").rpartition(".")[2], values)

    visit_marker_annotation = visit_annotation

    def visit_decimal_integer_literal(self, node: "Node") -> c.Code:
        return c.Literal(line_of(node), text_of(node).rstrip("lLfFdD"), is_text=False)

    visit_decimal_floating_point_literal = visit_decimal_integer_literal
    visit_true = visit_decimal_integer_literal
    visit_false = visit_decimal_integer_literal

    def visit_field_access(self, node: "Node") -> c.Code:
        """`Outer.this` is taken for the class: its fields are found through the object all the same."""
        name = text_at(node, "field")
        is_this = name == "this"
        return c.Name(line_of(node), name) if is_this else c.Member(line_of(node), self.field(node, "object"), name)

    def visit_method_invocation(self, node: "Node") -> c.Code:
        name = node.child_by_field_name("name")
        of = self.maybe(node, "object")
        line = line_of(name) if name is not None else line_of(node)
        callee = c.Own(line, text_of(name)) if of is None else c.Member(line, of, text_of(name))
        return c.Call(line, callee, self.arguments(node))

    def visit_explicit_constructor_invocation(self, node: "Node") -> c.Code:
        """`super(…)` or `this(…)` at the beginning of a constructor."""
        callee = c.Name(line_of(node), text_at(node, "constructor"))
        return c.Call(line_of(node), callee, self.arguments(node))

    def visit_object_creation_expression(self, node: "Node") -> c.Code:
        body = self.of(child_of(node, "class_body"))
        callee = c.Name(line_of(node), type_name(node.child_by_field_name("type")))
        return c.New(line_of(node), callee, self.arguments(node), body if isinstance(body, c.ClassCode) else None)

    def visit_array_creation_expression(self, node: "Node") -> c.Code:
        return self.maybe(node, "value") or c.ListOf(line_of(node), ())

    def visit_array_access(self, node: "Node") -> c.Code:
        return c.Index(line_of(node), self.field(node, "array"), self.field(node, "index"))

    def visit_assignment_expression(self, node: "Node") -> c.Code:
        adds = text_at(node, "operator") == "+="
        return c.Assign(line_of(node), self.field(node, "left"), self.field(node, "right"), adds)

    def visit_cast_expression(self, node: "Node") -> c.Code:
        return c.Typed(line_of(node), self.field(node, "value"), type_name(node.child_by_field_name("type")))

    def visit_class_literal(self, node: "Node") -> c.Code:
        return c.Name(line_of(node), type_name(next(named(node), None)))

    def visit_enhanced_for_statement(self, node: "Node") -> c.Code:
        target = c.Name(line_of(node), text_at(node, "name"))
        return c.Loop(line_of(node), target, self.field(node, "value"), self.field(node, "body"))

    def visit_switch_expression(self, node: "Node") -> c.Code:
        line, condition = line_of(node), self.field(node, "condition")
        body = node.child_by_field_name("body")
        arms = tuple(self.all(child) for child in named(body)) if body is not None else ()
        if body is not None and child_of(body, "switch_rule") is not None:
            return c.After(line, condition, c.Either(line, tuple(c.Either(line, arm[-1:]) for arm in arms)))
        return c.Branch(line, condition, tuple(c.CodeBlock(line, arm) for arm in arms))

    def visit_resource(self, node: "Node") -> c.Code:
        name = c.Name(line_of(node), text_at(node, "name"))
        return c.Declare(line_of(node), name, self.maybe(node, "value"), type_name(node.child_by_field_name("type")))

    def visit_resource_specification(self, node: "Node") -> c.Code:
        return c.CodeBlock(line_of(node), self.all(node), has_scope=False)

    def visit_string_literal(self, node: "Node") -> c.Code:
        """Text blocks lose their common margin."""
        written = text_of(node)
        if written.startswith('"""'):
            text = dedent(written[3:].removesuffix('"""').partition("\n")[2])
        else:
            quote = written[:1]
            text = written.removeprefix(quote).removesuffix(quote)
        return c.Literal(line_of(node), _ESCAPE.sub(lambda found: _meaning(found.group(1)), text))

    visit_character_literal = visit_string_literal


def _interfaces(node: "Node") -> tuple[str, ...]:
    lists = [child for child in node.children if child.type in ("super_interfaces", "extends_interfaces")]
    return tuple(type_name(one) for part in lists for names in named(part) for one in named(names))


def _declarations(body: "Node | None") -> list["Node"]:
    """What a class body declares, also where a piece of it did not parse."""
    return [] if body is None else list(unwrapped(list(named(body))))


def _parameter_name(node: "Node") -> str:
    holder = child_of(node, "variable_declarator") if node.type == "spread_parameter" else node
    return text_of(node) if node.type == "identifier" else text_at(holder, "name") if holder is not None else ""


_ESCAPE = re.compile(r"\\(u+[0-9a-fA-F]{4}|[0-3]?[0-7]{1,2}|\n|.)", re.DOTALL)
_NAMED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "s": " ", "\n": ""}


def _meaning(escape: str) -> str:
    if escape in _NAMED:
        return _NAMED[escape]
    if escape.startswith("u") and len(escape) > 4:
        return chr(int(escape.lstrip("u"), 16))
    return chr(int(escape, 8)) if escape.isdecimal() and not set(escape) - set("01234567") else escape
