#!/usr/bin/env python3
"""Checks that the folders of ManagedGraph refer to each other as the table of layers in Architecture.md allows.

Prints each reference to a higher layer, and fails if there is one. A layer may name the types of the table's third
column, although they are in higher layers. `layers.py --all` prints the references between folders, the cycles among
folders (except those caused by types of the third column), and every reference. Called by `make check`.

A reference is a name in code, outside comments and strings, of one of these:
  type      a type, function or constant at the top level of a file in another folder
  member    a member that only another folder declares, in a type or in an extension of any type
  init      an initializer with a first label that only an extension in another folder declares
A member is recognized by its name: after its type, alone inside its type, or after any other value if only one folder
declares the name and no lower module uses it. Not recognized: operators, subscripts, initializers without a label,
conformances, and members with the same name as a member in another folder.
"""
import collections
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
sources = root / "Sources" / "ManagedGraph"
page = root / "Documentation" / "Architecture.md"
# Modules that import ManagedGraph; names used in any other module are not ManagedGraph's own.
above = {
    "CoreData", "GraphBrowsing", "GraphModelling", "GraphUpkeep", "ManagedGraph", "ManagedGraphCommand", "ManagedGraphPostgreSQL",
    "ManagedGraphTesting", "ManagedGraphTools",
}
# Members of Foundation and the standard library that those modules happen not to use.
outside = {
    "allObjects", "broadcast", "delegate", "makeIterator", "moveItem", "newValue", "object", "removeAllObjects", "removeObject",
    "sync", "type",
}

Reference = collections.namedtuple("Reference", "file line kind name owner source target")
Token = collections.namedtuple("Token", "text line")


def code(text):
    """The text with comments and strings blanked; keeps line breaks and interpolated code."""
    out = list(text)
    # The states around the current position: "code" with its open parentheses, or a string with its delimiters.
    position, stack = 0, [["code", 0]]

    def blank(start, end):
        for index in range(start, min(end, len(out))):
            if out[index] != "\n":
                out[index] = " "

    while position < len(text):
        state = stack[-1]
        if state[0] == "code":
            if text.startswith("//", position):
                end = text.find("\n", position)
                end = len(text) if end < 0 else end
                blank(position, end)
                position = end
            elif text.startswith("/*", position):
                depth, end = 1, position + 2
                while end < len(text) and depth:
                    step = text[end:end + 2]
                    depth += (step == "/*") - (step == "*/")
                    end += 2 if step in ("/*", "*/") else 1
                blank(position, end)
                position = end
            elif opening := re.compile(r'(#*)("""|")').match(text, position):
                stack.append(["string", opening[1], opening[2]])
                blank(position, opening.end())
                position = opening.end()
            else:
                if len(stack) > 1:
                    state[1] += (text[position] == "(") - (text[position] == ")")
                    if state[1] < 0:
                        stack.pop()
                position += 1
        else:
            _, hashes, quotes = state
            if text.startswith(quotes + hashes, position):
                blank(position, position + len(quotes + hashes))
                position += len(quotes + hashes)
                stack.pop()
            elif text.startswith("\\" + hashes + "(", position):
                blank(position, position + 1 + len(hashes))
                position += 2 + len(hashes)
                stack.append(["code", 0])
            else:
                step = 2 + len(hashes) if text.startswith("\\" + hashes, position) else 1
                blank(position, position + step)
                position += step
    return "".join(out)


def tokens(text):
    """The names and signs of code, each with its line."""
    found, line = [], 1
    for match in re.finditer(r"\n|`?[A-Za-z_][A-Za-z_0-9]*`?|\d[\w.]*|->|[^\s\w]", text):
        if match[0] == "\n":
            line += 1
        else:
            found.append(Token(match[0].strip("`"), line))
    return found


def is_name(text):
    """Whether a token is a name."""
    return text[0].isalpha() or text[0] == "_"


types = {"class", "struct", "enum", "protocol", "actor"}
keywords = types | {"extension", "typealias", "associatedtype", "func", "var", "let", "case", "init", "subscript"}


class File:
    """One source file: its declarations and its tokens."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        self.tokens = tokens(code(path.read_text()))
        # Names declared at the top level; (type, member); (type, first label) of initializers in extensions.
        # A type is the tuple of its names, outermost first.
        self.top, self.members, self.labels = set(), set(), set()
        self.generics = set()
        # Names of private members; those plus names of variables and parameters.
        self.hidden, self.locals = set(), {"newValue", "oldValue"}
        # The enclosing type of each token; empty outside types.
        self.owners = []
        self.read()

    def text(self, index):
        """The text of a token; empty outside the file."""
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def read(self):
        """Visits the tokens with a stack of scopes: (kind, type)."""
        scopes, pending, is_private = [], None, False
        for index, (text, _) in enumerate(self.tokens):
            before, after = self.text(index - 1), self.text(index + 1)
            kind, owner = scopes[-1] if scopes else ("file", ())
            self.owners.append(owner)
            if text in ("private", "fileprivate") and after != "(":
                is_private = True
            elif text == "{":
                scopes.append(pending or ("block", owner))
                pending, is_private = None, False
            elif text == "}":
                if scopes:
                    scopes.pop()
                pending, is_private = None, False
            elif text == "extension" and before != ".":
                pending = ("extension", self.qualified(index + 1))
            elif text in keywords and before != "." and after not in (":", ",", ")"):
                self.declare(index, kind, owner, is_private)
                is_private = False
                if text in types and is_name(after) and after not in keywords:
                    pending = ("type", owner + (after,))
            elif text == "for" and after == "(" and before != ".":
                self.locals.update(self.names(index + 1))
            elif is_name(text) and (after == "in" or before in ("{", ",") and after == ","):
                self.locals.add(text)

    def qualified(self, index):
        """The components of the type name that begins at a token."""
        parts = [self.text(index)]
        while self.text(index + 1) == ".":
            index += 2
            parts.append(self.text(index))
        return tuple(parts)

    def declare(self, index, kind, owner, is_private):
        """Records the declaration that begins with a keyword."""
        keyword, name = self.text(index), self.text(index + 1)
        if keyword in ("func", "init", "subscript"):
            self.locals.update(self.parameters(index))
        self.generics.update(self.generic_parameters(index))
        if keyword in ("let", "var") and name == "(":
            self.locals.update(self.names(index + 1))
        elif keyword == "init":
            label = self.text(index + 2)
            if kind == "extension" and not is_private and is_name(label or "_") and self.text(index + 3) != ")":
                self.labels.add((owner, label))
        elif keyword == "subscript" or not name or not is_name(name) or name in keywords:
            return
        elif kind == "file":
            if not is_private:
                self.top.add(name)
        elif kind == "block" or is_private:
            self.locals.add(name)
            if kind != "block":
                self.hidden.add(name)
        else:
            self.members.update((owner, each) for each in (self.cases(index) if keyword == "case" else [name]))

    def names(self, index):
        """The names inside the parentheses that open at a token."""
        end = self.end(index)
        return [token.text for token in self.tokens[index:end] if is_name(token.text)]

    def end(self, index):
        """The position after the parentheses that open at a token."""
        depth = 0
        while index < len(self.tokens):
            depth += (self.text(index) == "(") - (self.text(index) == ")")
            index += 1
            if depth == 0:
                break
        return index

    def parameters(self, index):
        """The parameter names of the function with the given keyword."""
        while index < len(self.tokens) and self.text(index) not in ("(", "{"):
            index += 1
        inside = range(index + 1, self.end(index) - 1)
        return [self.text(each) for each in inside if is_name(self.text(each)) and self.text(each + 1) == ":"]

    def generic_parameters(self, index):
        """The generic parameters of the type or function with the given keyword."""
        start = index + 1 if self.text(index) in ("init", "subscript") else index + 2
        if self.text(start) != "<":
            return set()
        end = start
        while self.text(end) not in (">", "{", ""):
            end += 1
        return {self.text(each) for each in range(start, end) if self.text(each - 1) in ("<", ",", "each")}

    def cases(self, index):
        """The names of the cases after one keyword."""
        found = [self.text(index + 1)]
        index += 2
        while self.text(index) in ("(", "=", ","):
            if self.text(index) == "(":
                index = self.end(index)
            elif self.text(index) == "=":
                index += 3 if self.text(index + 1) == "-" else 2
            else:
                found.append(self.text(index + 1))
                index += 2
        return found


def rows(marker):
    """The cells of the table that follows a marker on the page; none without the marker."""
    found = re.search(rf"<!-- {marker}:.*?-->\n(.*?)<!-- end of {marker} -->", page.read_text(), re.S)
    if not found:
        return []
    return [line.split("|")[1:-1] for line in found[1].splitlines() if line.startswith("|")][2:]


def quoted(cell):
    """The names in backticks in a table cell."""
    return tuple(re.findall(r"`([\w/]+)`", cell))


# The folders of each layer, lowest first, and the types in higher layers that they may name.
layers = [tuple(map(quoted, row[1:3])) for row in rows("layers")]
level = {folder: number for number, (folders, _) in enumerate(layers) for folder in folders}
exempt = {folder: set(names) for folders, names in layers for folder in folders}


def folder_of(path):
    """The file's folder in the table, or the file's own folder if the table has none."""
    parts = path.relative_to(sources).parent.parts
    for length in range(len(parts), 0, -1):
        if "/".join(parts[:length]) in level:
            return "/".join(parts[:length])
    return "/".join(parts)


files = [File(path, folder_of(path)) for path in sorted(sources.rglob("*.swift")) if path.parent != sources]

# The places of each name's declarations: at the top level, as a member of a type, as a member of any type, as a first
# label. A place is a folder with the name of the outermost type.
declared, members, owners, labels = (collections.defaultdict(set) for _ in range(4))
for file in files:
    for name in file.top:
        declared[name].add((file.folder, name))
    for owner, name in file.members:
        members[owner, name].add((file.folder, owner[0]))
        owners[name].add((file.folder, owner[0]))
    for owner, label in file.labels:
        labels[owner, label].add((file.folder, owner[0]))

# Names that lower modules use after a dot are ambiguous.
foreign = set(outside)
for module in sorted((root / "Sources").iterdir()):
    if module.name not in above:
        for path in module.rglob("*.swift"):
            foreign.update(re.findall(r"(?:\.\s*|\b(?:func|var|let|case)\s+`?)([A-Za-z_]\w*)", code(path.read_text())))


def base(file, index):
    """The types before the dot that precedes a token; None if another value precedes it."""
    parts = []
    while file.text(index - 1) == "." and is_name(file.text(index - 2) or ".") and file.text(index - 2)[0].isupper():
        index -= 2
        parts.insert(0, file.text(index))
    return tuple(parts) if parts and file.text(index - 1) != "." else None


def root_of(file, index):
    """The first of the dotted names that end at a token."""
    while file.text(index - 1) == "." and is_name(file.text(index - 2) or "."):
        index -= 2
    return file.text(index)


def member(file, index):
    """The places that may declare the member with a name."""
    name, owner = file.text(index), file.owners[index]
    if file.text(index - 1) == ".":
        if parts := base(file, index):
            if parts[0] not in declared:
                return members.get((parts, name), set()) if name not in foreign else set()
            # In the type's own folder, the type's name is the reference.
            return members.get((parts, name), set()) - declared[parts[0]]
        if file.text(index - 2) == "self":
            return members.get((owner, name), set())
        first = root_of(file, index)
        is_ours = not first[:1].isupper() or first in declared
        return owners[name] if is_ours and name not in foreign and name not in file.hidden else set()
    if name in file.locals or file.text(index + 1) == ":":
        return set()
    for length in range(len(owner), 0, -1):
        if (owner[:length], name) in members:
            return members[owner[:length], name]
    return set()


def references(file):
    """The references in a file to other folders."""
    for index, (name, line) in enumerate(file.tokens):
        before, after = file.text(index - 1), file.text(index + 1)
        if not is_name(name) or before in keywords - {"extension", "case"}:
            continue
        found = []
        is_label = after == ":" and before in ("(", ",")
        is_shadowed = name in file.generics or name in file.locals and name[0].islower()
        if before != "." and name in declared and not is_label and not is_shadowed:
            found.append(("type", name, declared[name]))
        else:
            found.append(("member", name, member(file, index)))
        if after == "(" and file.text(index + 3) == ":":
            label = file.text(index + 2)
            found.append(("init", f"{name}({label}:)", labels.get((file.qualified(index), label), set())))
        for kind, text, places in found:
            targets = {folder for folder, _ in places}
            if len(targets) == 1 and file.folder not in targets:
                owner = min(owner for _, owner in places)
                yield Reference(file.path, line, kind, text, owner, file.folder, targets.pop())


def circles(graph):
    """The strongly connected components with more than one folder, by Tarjan's algorithm."""
    numbers, lows, stack, found = {}, {}, [], []

    def visit(folder):
        numbers[folder] = lows[folder] = len(numbers)
        stack.append(folder)
        for target in graph[folder]:
            if target not in numbers:
                visit(target)
                lows[folder] = min(lows[folder], lows[target])
            elif target in stack:
                lows[folder] = min(lows[folder], numbers[target])
        if lows[folder] == numbers[folder]:
            start = stack.index(folder)
            found.append(sorted(stack[start:]))
            del stack[start:]

    for folder in sorted(graph):
        if folder not in numbers:
            visit(folder)
    return [component for component in found if len(component) > 1]


def is_above(reference):
    """Whether a reference names a declaration in a higher layer."""
    return level.get(reference.target, -1) > level.get(reference.source, len(layers))


def points_upwards(reference):
    """Whether a reference breaks the table."""
    return is_above(reference) and reference.owner not in exempt[reference.source]


def report(everything):
    """Prints the references, the cycles and the violations; returns whether there are no violations."""
    found = [reference for file in files for reference in references(file)]
    graph, own = ({folder: collections.Counter() for folder in {file.folder for file in files}} for _ in range(2))
    for reference in found:
        graph[reference.source][reference.target] += 1
        if reference.owner not in exempt.get(reference.source, ()) or not is_above(reference):
            own[reference.source][reference.target] += 1
    order = sorted(graph, key=lambda folder: (level.get(folder, len(layers)), folder))
    if everything:
        print("references between folders:")
        for folder in order:
            arrows = ", ".join(f"{target} {graph[folder][target]}" for target in order if target in graph[folder])
            print(f"  {folder} -> {arrows or 'nothing'}")
        components = circles(own)
        print("circles:" if components else "circles: none")
        for component in components:
            print("  " + ", ".join(component))
        print("all references:")
    missing = [folder for folder in order if folder not in level]
    gone = [folder for folder in level if folder not in graph]
    upwards = [each for each in found if points_upwards(each)]
    for each in sorted(found if everything else upwards, key=lambda each: (each.source, each.target, each.file, each.line)):
        arrow = f"{each.source} -> {each.target}"
        print(f"{each.file.relative_to(root)}:{each.line}: {arrow}: {each.kind} {each.name}")
    for folder in missing:
        print(f"Sources/ManagedGraph/{folder} is in no layer of {page.name}")
    for folder in gone:
        print(f"{page.name} has a layer for {folder}, which has no sources")
    for (source, target), count in sorted(collections.Counter((each.source, each.target) for each in upwards).items()):
        print(f"{source} -> {target} points upwards: {count} references")
    return not (missing or gone or upwards)


sys.exit(0 if report("--all" in sys.argv[1:]) else 1)
