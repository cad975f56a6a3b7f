"""SQLite stores in Apple's layout."""

import datetime
import decimal
import shutil
import sqlite3
import tempfile
import uuid
import zlib
from dataclasses import dataclass, field
from pathlib import Path

from .archive import archive, plain_list, seconds
from .compiled import model_cache
from .model import Relationship
from .objects import complete
from .schema import HISTORY, Schema

# The entities of the history, by their numbers.
CHANGE, TRANSACTION, STRING = 16001, 16002, 16003
KINDS = {"insert": 0, "update": 1, "delete": 2}
# Ordered members are numbered in steps, so that others fit between them.
STEP = 1024


@dataclass
class Transaction:
    """A transaction of the history; a change is (kind, entity, key, changed properties or preserved values)."""

    date: datetime.datetime
    changes: list
    author: str = None
    context: str = None
    bundle: str = "org.example.harbour"
    process: str = "harbour"


@dataclass
class Store:
    model: object
    identifier: str
    objects: list
    history: list = field(default_factory=list)
    # Keys of the application in the metadata.
    metadata: dict = field(default_factory=dict)
    # The highest keys that were assigned, by root entity, if not those of the objects.
    highest: dict = field(default_factory=dict)
    # Values by the names of their external files.
    external: dict = field(default_factory=dict)
    # The layout of frameworks before 2014: no cached model, old names of indexes, fewer metadata.
    antique: bool = False


def metadata(store, kind="SQLite"):
    """The property list of the metadata."""
    model = store.model
    result = {
        "NSStoreType": kind,
        "NSStoreModelVersionHashes": model.hashes(),
        "NSStoreModelVersionHashesVersion": 3,
        "NSStoreModelVersionIdentifiers": [model.identifier],
        "NSPersistenceFrameworkVersion": 407 if store.antique else 1345,
        **store.metadata,
    }
    if not store.antique:
        result["NSStoreModelVersionHashesDigest"] = model.digest()
        result["NSStoreModelVersionChecksumKey"] = model.checksum()
    if kind == "SQLite":
        result["_NSAutoVacuumLevel"] = "2"
    return result


class External:
    """A binary value in a file of its own, whose name is a UUID."""

    def __init__(self, name, data):
        self.name = name
        self.data = data


def cell(value, attribute):
    """The value of a column."""
    if attribute.external and value is not None:
        if isinstance(value, External):
            return b"\2" + value.name.encode() + b"\0"
        return b"\1" + value
    if isinstance(value, datetime.datetime):
        return seconds(value)
    if isinstance(value, decimal.Decimal):
        return str(value)
    if isinstance(value, uuid.UUID):
        return value.bytes
    if isinstance(value, bool):
        return int(value)
    if attribute.type == "Transformable" and value is not None:
        return archive(value)
    if isinstance(value, str):
        return str(value)
    return value


class _Filler:
    def __init__(self, connection, store):
        self.connection = connection
        self.store = store
        self.model = store.model
        self.schema = Schema(store.model)

    def insert(self, table, row):
        names, marks = ", ".join(row), ", ".join("?" * len(row))
        self.connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", list(row.values()))

    def create(self):
        for statement in self.schema.statements(self.store.antique):
            self.connection.execute(statement)
        for statement in [
            "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
            "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
        ]:
            self.connection.execute(statement)
        if not self.store.antique:
            self.connection.execute("CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
            self.insert("Z_MODELCACHE", {"Z_CONTENT": model_cache(self.model)})
        self.insert(
            "Z_METADATA",
            {"Z_VERSION": 1, "Z_UUID": self.store.identifier, "Z_PLIST": plain_list(metadata(self.store))},
        )
        for entity in self.model.numbered():
            row = {
                "Z_ENT": self.schema.numbers[entity.name],
                "Z_NAME": entity.name,
                "Z_SUPER": self.schema.numbers.get(entity.parent, 0),
                "Z_MAX": self.store.highest.get(entity.name, 0),
            }
            self.insert("Z_PRIMARYKEY", row)

    def fill(self, objects):
        links = complete(self.model, objects)
        for item in objects:
            self.object(item, links)
        for item in objects:
            self.one_sided(item, links)
        for (entity, name), join in self.schema.joins.items():
            for item in objects:
                lineage = self.model.lineage(self.model.by_name[item.entity])
                if not any(ancestor.name == entity for ancestor in lineage):
                    continue
                for place, other in enumerate(links[id(item), name], 1):
                    row = {join.owner_key: item.key, join.destination_key: other.key}
                    if join.destination_position:
                        row[join.destination_position] = place * STEP
                    if join.owner_position:
                        back = links[id(other), join.owner.inverse]
                        row[join.owner_position] = (_place(item, back) + 1) * STEP
                    self.insert(join.name, row)

    def object(self, item, links):
        entity = self.model.by_name[item.entity]
        row = {"Z_PK": item.key, "Z_ENT": self.schema.numbers[item.entity], "Z_OPT": 1}
        for ancestor in self.model.lineage(entity):
            for attribute in self.schema.stored_attributes(ancestor):
                # Triggers keep counts.
                if attribute.derivation and attribute.derivation[0].endswith(".@count"):
                    continue
                value = item.values.get(attribute.name)
                row[self.schema.names[ancestor.name, attribute.name]] = cell(value, attribute)
            for relationship in ancestor.of_kind(Relationship):
                self.relationship(row, item, ancestor, relationship, links)
        self.insert(self.schema.table_name(entity), row)
        root = self.model.root(entity).name
        self.connection.execute(
            "UPDATE Z_PRIMARYKEY SET Z_MAX = max(Z_MAX, ?) WHERE Z_NAME = ?", [item.key, root]
        )

    def one_sided(self, item, links):
        """Writes the keys of to-many relationships without an inverse into the rows of their members."""
        for ancestor in self.model.lineage(self.model.by_name[item.entity]):
            for relationship in ancestor.of_kind(Relationship):
                column = self.schema.one_sided.get((ancestor.name, relationship.name))
                for other in links[id(item), relationship.name] if column else []:
                    table = self.schema.table_name(self.model.by_name[other.entity])
                    self.connection.execute(f"UPDATE {table} SET {column} = ? WHERE Z_PK = ?", [item.key, other.key])

    def relationship(self, row, item, entity, relationship, links):
        key = entity.name, relationship.name
        if relationship.to_many:
            return
        others = links[id(item), relationship.name]
        if not others:
            return
        row[self.schema.names[key]] = others[0].key
        if key in self.schema.companions:
            row[self.schema.companions[key]] = self.schema.numbers[others[0].entity]
        if key in self.schema.positions:
            members = links[id(others[0]), relationship.inverse]
            row[self.schema.positions[key]] = (_place(item, members) + 1) * STEP

    def history(self):
        preserved = max(len(self.schema.preserved(entity)) for entity in self.model.entities)
        columns = "".join(f", ZTOMBSTONE{number} BLOB" for number in range(preserved))
        for statement in HISTORY:
            self.connection.execute(statement.format(columns))
        strings, changes = {}, 0

        def text(value):
            if value is not None and value not in strings:
                strings[value] = len(strings) + 1
                row = {"Z_PK": strings[value], "Z_ENT": STRING, "ZNAME": value}
                self.insert("ATRANSACTIONSTRING", row)
            return strings.get(value)

        for number, transaction in enumerate(self.store.history, 1):
            row = {
                "Z_PK": number,
                "Z_ENT": TRANSACTION,
                "ZAUTHORTS": text(transaction.author),
                "ZBUNDLEIDTS": text(transaction.bundle),
                "ZCONTEXTNAMETS": text(transaction.context),
                "ZPROCESSIDTS": text(transaction.process),
                "ZTIMESTAMP": seconds(transaction.date),
            }
            self.insert("ATRANSACTION", row)
            for kind, name, key, details in transaction.changes:
                changes += 1
                entity = self.model.by_name[name]
                row = {
                    "Z_PK": changes,
                    "Z_ENT": CHANGE,
                    "ZCHANGETYPE": KINDS[kind],
                    "ZENTITY": self.schema.numbers[name],
                    "ZENTITYPK": key,
                    "ZTRANSACTIONID": number,
                }
                if kind == "update":
                    row["ZCOLUMNS"] = self.schema.change_bits(entity, details)
                if kind == "delete":
                    for place, attribute in enumerate(self.schema.preserved(entity)):
                        row[f"ZTOMBSTONE{place}"] = cell(details.get(attribute.name), attribute)
                self.insert("ACHANGE", row)
        for number, name, highest in [
            (CHANGE, "CHANGE", changes),
            (TRANSACTION, "TRANSACTION", len(self.store.history)),
            (STRING, "TRANSACTIONSTRING", len(strings)),
        ]:
            self.insert("Z_PRIMARYKEY", {"Z_ENT": number, "Z_NAME": name, "Z_SUPER": 0, "Z_MAX": highest})


def _place(item, members):
    return next(place for place, member in enumerate(members) if member is item)


def _connect(path):
    connection = sqlite3.connect(path)
    # Derived attributes' triggers report changed rows to the framework.
    for name in ("", "Insert"):
        connection.create_function(f"NSCoreDataDATrigger{name}UpdatedAffectedObjectValue", 5, lambda *_: None)
    return connection


def write(store, path, logged=None):
    """Writes a store; the changes of the function `logged` stay in a write-ahead log beside it.

    A file with the same content is kept, because the bytes of a database depend on SQLite's version.
    """
    with tempfile.TemporaryDirectory() as folder:
        draft = Path(folder, path.name)
        connection = _connect(draft)
        connection.execute("PRAGMA page_size = 4096")
        connection.execute("PRAGMA auto_vacuum = 2")
        connection.execute("PRAGMA journal_mode = WAL")
        filler = _Filler(connection, store)
        filler.create()
        filler.fill(store.objects)
        if store.history:
            filler.history()
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        files = [draft]
        if logged:
            connection.execute("PRAGMA wal_autocheckpoint = 0")
            logged(filler)
            connection.commit()
            # The log is copied while the connection is open: closing the last one would remove it.
            files.append(Path(f"{draft}-wal"))
            for file in files:
                Path(folder, "copy").mkdir(exist_ok=True)
                shutil.copy(file, Path(folder, "copy", file.name))
            files = [Path(folder, "copy", file.name) for file in files]
        else:
            connection.close()
        if not path.exists() or _content(path) != _content(files[0]):
            for file in files:
                shutil.copyfile(file, path.with_name(file.name))
        if logged:
            connection.close()
    if store.external:
        data = path.with_name(f".{path.stem}_SUPPORT") / "_EXTERNAL_DATA"
        data.mkdir(parents=True, exist_ok=True)
        for name, value in store.external.items():
            (data / name).write_bytes(value)


def _content(path):
    """All statements and rows of a database, with its log; the cached model without its compression."""
    with tempfile.TemporaryDirectory() as folder:
        for suffix in ("", "-wal"):
            if Path(f"{path}{suffix}").exists():
                shutil.copyfile(f"{path}{suffix}", Path(folder, f"copy{suffix}"))
        logged = Path(folder, "copy-wal").exists()
        connection = sqlite3.connect(Path(folder, "copy"))
        schema = connection.execute("SELECT name, type, sql FROM sqlite_master").fetchall()
        rows = {
            name: connection.execute(f"SELECT * FROM {name}").fetchall() for name, type, _ in schema if type == "table"
        }
        connection.close()
        if "Z_MODELCACHE" in rows:
            rows["Z_MODELCACHE"] = [zlib.decompress(row[0], -15) for row in rows["Z_MODELCACHE"]]
        return logged, schema, rows
