"""The tables, indexes and triggers of a SQLite store, made from the rules of FileFormats.md."""

from dataclasses import dataclass, field

from .model import Attribute, FetchedProperty, Relationship

# Groups of columns in their order, with the declared type of each attribute type.
GROUPS = [
    {"Integer 16": "INTEGER", "Integer 32": "INTEGER", "Integer 64": "INTEGER", "Boolean": "INTEGER"},
    {"Double": "FLOAT", "Float": "FLOAT", "Date": "TIMESTAMP"},
    {"Decimal": "DECIMAL"},
    {"String": "VARCHAR"},
    {"URI": "VARCHAR"},
    {"UUID": "BLOB"},
    {"Transformable": "BLOB"},
    {"Binary": "BLOB"},
]


@dataclass
class Column:
    name: str
    type: str
    is_key: bool = False


@dataclass
class JoinTable:
    """A many-to-many table: its owner's relationship and the columns that hold the two keys."""

    name: str
    owner: Relationship
    owner_key: str
    destination_key: str
    owner_position: str = None
    destination_position: str = None


@dataclass
class Table:
    name: str
    columns: list = field(default_factory=list)


class Schema:
    """Where a store keeps each property of a model."""

    def __init__(self, model):
        self.model = model
        self.numbers = {entity.name: number for number, entity in enumerate(model.numbered(), 1)}
        self.roots = [entity for entity in model.entities if entity.parent is None]
        # Column names by (declaring entity, property), with the companions of to-one relationships.
        self.names = {}
        self.companions = {}
        self.positions = {}
        # Key columns in the destination's table of to-many relationships without an inverse.
        self.one_sided = {}
        self.tables = {root.name: self.table(root) for root in self.roots}
        self.joins = {}
        self.find_joins()

    def table_name(self, entity):
        return "Z" + self.model.root(entity).name.upper()

    def tree(self, root):
        return [entity for entity in self.model.numbered() if self.model.root(entity) is root]

    def stored_attributes(self, entity):
        """An entity's own attributes that have columns, by name; the elements of a composite one in its place."""
        items = sorted(entity.of_kind(Attribute), key=lambda item: item.name)
        stored = [item for item in items if not item.transient]
        return [
            part
            for item in stored
            for part in (sorted(item.elements, key=lambda element: element.name) or [item])
        ]

    def table(self, root):
        groups = [[] for _ in GROUPS]
        taken = set()

        def column(name, type, group, is_key=False):
            number = 0
            while name + (str(number) if number else "") in taken:
                number += 1
            name += str(number) if number else ""
            taken.add(name)
            groups[group].append(Column(name, type, is_key))
            return name

        for entity in self.tree(root):
            for item in self.stored_attributes(entity):
                group = next(place for place, types in enumerate(GROUPS) if item.type in types)
                name = column("Z" + item.name.upper(), GROUPS[group][item.type], group)
                self.names[entity.name, item.name] = name
            to_one = [item for item in entity.of_kind(Relationship) if not item.to_many]
            for item in sorted(to_one, key=lambda item: item.name):
                key = entity.name, item.name
                self.names[key] = column("Z" + item.name.upper(), "INTEGER", 0, True)
                destination = self.model.by_name[item.destination]
                if self.model.children(destination):
                    name = f"Z{self.numbers[destination.name]}_{item.name.upper()}"
                    self.companions[key] = column(name, "INTEGER", 0)
            for other in self.model.numbered():
                for item in sorted(other.of_kind(Relationship), key=lambda item: item.name):
                    if item.to_many and item.inverse is None and item.destination == entity.name:
                        name = f"Z{self.numbers[other.name]}{item.name.upper()}"
                        self.one_sided[other.name, item.name] = column(name, "INTEGER", 0, True)
            for item in sorted(to_one, key=lambda item: item.name):
                inverse, _ = self.model.inverse(item)
                if inverse and inverse.ordered:
                    name = f"Z_FOK_{item.name.upper()}"
                    self.positions[entity.name, item.name] = column(name, "INTEGER", 0)
        return Table("Z" + root.name.upper(), [item for group in groups for item in group])

    def find_joins(self):
        model = self.model
        done = set()
        for entity in model.entities:
            items = [item for item in model.properties(entity) if isinstance(item, Relationship) and item.to_many]
            for item in sorted(items, key=lambda item: item.name, reverse=True):
                owner = model.declaring(entity, item.name)
                inverse, other = model.inverse(item)
                if inverse is None or not inverse.to_many or (owner.name, item.name) in done:
                    continue
                done |= {(owner.name, item.name), (other.name, inverse.name)}
                sides = [f"{self.numbers[side.destination]}{side.name.upper()}" for side in (inverse, item)]
                self.joins[owner.name, item.name] = JoinTable(
                    f"Z_{self.numbers[owner.name]}{item.name.upper()}",
                    item,
                    f"Z_{sides[0]}",
                    f"Z_{sides[1]}",
                    f"Z_FOK_{sides[0]}" if inverse.ordered else None,
                    f"Z_FOK_{sides[1]}" if item.ordered else None,
                )

    # Statements

    def statements(self, before_2017=False):
        lines = []
        for root in self.roots:
            table = self.tables[root.name]
            columns = "".join(f", {column.name} {column.type}" for column in table.columns)
            lines.append(
                f"CREATE TABLE {table.name} ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER{columns} )"
            )
        for join in self.joins.values():
            keys = [join.owner_key, join.destination_key]
            positions = [name for name in (join.owner_position, join.destination_position) if name]
            columns = ", ".join(f"{name} INTEGER" for name in keys + positions)
            lines.append(f"CREATE TABLE {join.name} ( {columns}, PRIMARY KEY ({', '.join(keys)}) )")
        for root in self.roots:
            lines += self.indexes(root, before_2017)
        for join in self.joins.values():
            lines.append(
                f"CREATE INDEX {join.name}_{join.destination_key}_INDEX ON {join.name} "
                f"({join.destination_key}, {join.owner_key})"
            )
        for root in self.roots:
            lines += [line for entity in self.tree(root) for line in self.triggers(entity)]
        return lines

    def indexes(self, root, before_2017):
        table = self.tables[root.name]
        lines = [
            f"CREATE INDEX {table.name}_{column.name}_INDEX ON {table.name} ({column.name})"
            for column in table.columns
            if column.is_key
        ]
        if len(self.tree(root)) > 1:
            lines.append(f"CREATE INDEX {table.name}_Z_ENT_INDEX ON {table.name} (Z_ENT)")
        for entity in self.tree(root):
            single = {members[0][0] for _, members in entity.indexes if len(members) == 1 and members[0][1]}
            for name in sorted(single):
                column = self.column(entity, name)
                if before_2017:
                    lines.append(f"CREATE INDEX {table.name}_{column}_INDEX ON {table.name} ({column})")
                else:
                    lines.append(
                        f"CREATE INDEX Z_{entity.name}_{name} ON {table.name} ({column} COLLATE BINARY ASC)"
                    )
        if before_2017:
            return lines
        for entity in self.tree(root):
            for name, members in entity.indexes:
                columns = ", ".join(
                    f"{self.column(entity, attribute)} COLLATE BINARY {'ASC' if ascends else 'DESC'}"
                    for attribute, ascends in members
                )
                lines.append(f"CREATE INDEX Z_{entity.name}_{name} ON {table.name} ({columns})")
            for names in entity.unique:
                columns = ", ".join(f"{self.column(entity, name)} COLLATE BINARY ASC" for name in names)
                lines.append(
                    f"CREATE UNIQUE INDEX Z_{entity.name}_UNIQUE_{'_'.join(names)} ON {table.name} ({columns})"
                )
        return lines

    def triggers(self, entity):
        """The five triggers of each derived count."""
        lines = []
        for item in entity.of_kind(Attribute):
            if not item.derivation or not item.derivation[0].endswith(".@count"):
                continue
            relationship = self.model.property(entity, item.derivation[0].removesuffix(".@count"))
            inverse, owner = self.model.inverse(relationship)
            source, parts = self.table_name(entity), self.table_name(owner)
            count, key = self.column(entity, item.name), self.column(owner, inverse.name)
            name = f"{entity.name}_{item.name}"
            report = (
                "SELECT NSCoreDataDATrigger{}UpdatedAffectedObjectValue"
                f"('{source}', Z_ENT, Z_PK, '{item.name}', {count}) FROM {source} WHERE Z_PK = {{}}; END"
            )
            for action, event, row, change in [
                ("INSERT", "INSERT", "NEW", f"IFNULL({count}, 0) + 1"),
                ("UPDATE_INCREMENT", f"UPDATE OF {key}", "NEW", f"{count} + 1"),
                ("UPDATE_DECREMENT", f"UPDATE OF {key}", "OLD", f"{count} - 1"),
                ("DELETE", "DELETE", "OLD", f"{count} - 1"),
            ]:
                lines.append(
                    f"CREATE TRIGGER Z_DA_{parts}_{name}_PARAMETER_{action} AFTER {event} ON {parts} FOR EACH ROW "
                    f"WHEN ({row}.{key} NOT NULL) BEGIN UPDATE {source} SET {count} = {change} "
                    f"WHERE Z_PK = {row}.{key}; " + report.format("", f"{row}.{key}")
                )
            lines.append(
                f"CREATE TRIGGER Z_DA_{source}_{name}_SOURCE_INSERT AFTER INSERT ON {source} FOR EACH ROW BEGIN "
                f"UPDATE {source} SET {count} = (SELECT IFNULL(COUNT({key}), 0) FROM {parts} WHERE {key} = NEW.Z_PK) "
                "WHERE Z_PK = NEW.Z_PK; " + report.format("Insert", "NEW.Z_PK")
            )
        return lines

    def column(self, entity, name):
        return self.names[self.model.declaring(entity, name).name, name]

    def preserved(self, entity):
        """The attributes that the history keeps of a deleted object."""
        items = [item for item in self.model.properties(entity) if isinstance(item, Attribute) and item.preserved]
        return sorted(items, key=lambda item: item.name)

    def change_bits(self, entity, names):
        """The bits of changed properties: attributes by name, then relationships by name, the lowest bit first."""
        items = [
            item
            for item in self.model.properties(entity)
            if not isinstance(item, FetchedProperty) and not getattr(item, "transient", False)
        ]
        items.sort(key=lambda item: (isinstance(item, Relationship), item.name))
        bits = sum(1 << place for place, item in enumerate(items) if item.name in names)
        return bits.to_bytes((bits.bit_length() + 7) // 8, "little")


HISTORY = [
    "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, "
    "ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB{} )",
    "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, "
    "ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, "
    "ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB )",
    "CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )",
    "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
    "CREATE INDEX ATRANSACTION_ZAUTHORTS_INDEX ON ATRANSACTION (ZAUTHORTS)",
    "CREATE INDEX ATRANSACTION_ZBUNDLEIDTS_INDEX ON ATRANSACTION (ZBUNDLEIDTS)",
    "CREATE INDEX ATRANSACTION_ZCONTEXTNAMETS_INDEX ON ATRANSACTION (ZCONTEXTNAMETS)",
    "CREATE INDEX ATRANSACTION_ZPROCESSIDTS_INDEX ON ATRANSACTION (ZPROCESSIDTS)",
    "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)",
    "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)",
    "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)",
]
