// Steps of a check: derived attributes against their sources, external files against the rows that reference them, and
// the history's rows against each other.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL
import GraphSQLite
import ManagedGraph

extension StoreCheck {
    func checkDerivedAttributes() throws {
        guard let part = resolvedModel?.part else { return }
        for value in schema.derivedValues(part) where readable.contains(value.entity) {
            guard let place = schema.entities[value.entity] else { continue }
            let numbers = place.familyNumbers.map(String.init).joined(separator: ", ")
            let rows =
                "SELECT Z_PK, \(value.column.sqliteName) AS stored, \(value.expression) AS derived FROM "
                + "\(place.tableName.sqliteName) WHERE Z_ENT IN (\(numbers))"
            // A sum of fractions depends on the order of its terms.
            try findRows(
                "SELECT * FROM (\(rows)) WHERE stored IS NOT derived AND NOT (typeof(stored) = 'real' AND "
                    + "typeof(derived) IN ('real', 'integer') AND abs(stored - derived) <= 1e-6 * max(abs(stored), "
                    + "abs(derived)))",
                value.entity,
                value.attribute,
                kind: "derived values"
            ) { "it is \($0[1].printed), but should be \($0[2].printed)." }
        }
    }

    /// Reports missing files that rows reference, and files that no row references.
    func checkExternalFiles() throws {
        let files = ExternalFiles(store: url)
        let there = try files.names
        var referencedNames: Set<String> = []
        for entity in entities where readable.contains(entity.name) {
            guard let place = schema.entities[entity.name] else { continue }
            for (path, property) in place.properties.sorted(by: { $0.key < $1.key }) {
                guard case .attribute(let column) = property, column.isExternal else { continue }
                let name = column.column.sqliteName
                let sql = "SELECT Z_PK, \(name) FROM \(place.tableName.sqliteName) WHERE Z_ENT = \(place.number) AND "
                let origin = "\(entity.name).\(path)"
                try eachRow(sql + "substr(CAST(\(name) AS BLOB), 1, 1) = x'02'") { row in
                    guard case .blob(let stored) = row[1] else { return }
                    guard let name = LargeValue.name(in: stored) else {
                        return problems.add(
                            "\(origin), row \(row[0].printed): the marker of a file is followed by no name of one.",
                            kind: "\(origin): names of files"
                        )
                    }
                    referencedNames.insert(name)
                    if (try? files.contents(name)) != nil {
                        report.external += 1
                    } else {
                        problems.add(
                            "\(origin), row \(row[0].printed): the file \(name) of the value is missing or cannot be "
                                + "read.",
                            kind: "\(origin): missing files"
                        )
                    }
                }
            }
        }
        let unreferencedNames = there.subtracting(referencedNames)
        guard !unreferencedNames.isEmpty, !ExternalFiles.isShared(url) else { return }
        for name in unreferencedNames.sorted() {
            problems.add("The file \(name) beside the store belongs to no row.", kind: "Files without a row")
        }
    }

    func checkHistory() throws {
        guard tables["ATRANSACTION"] != nil, tables["ACHANGE"] != nil else { return }
        var history = StoreReport.History()
        history.transactions = Int(try rows("SELECT count(*) FROM ATRANSACTION").first?.first?.whole ?? 0)
        history.changes = Int(try rows("SELECT count(*) FROM ACHANGE").first?.first?.whole ?? 0)
        report.history = history
        try findRows(
            "SELECT c.Z_PK, c.ZTRANSACTIONID FROM ACHANGE c WHERE NOT EXISTS (SELECT 1 FROM ATRANSACTION t "
                + "WHERE t.Z_PK = c.ZTRANSACTIONID)",
            "ACHANGE",
            nil,
            kind: "missing transactions"
        ) { "its transaction \($0[1].printed) is not there." }
        try findRows(
            "SELECT Z_PK, ZCHANGETYPE FROM ACHANGE WHERE ZCHANGETYPE IS NULL OR ZCHANGETYPE NOT IN (0, 1, 2)",
            "ACHANGE",
            nil,
            kind: "kinds of changes"
        ) { "the kind of change \($0[1].printed) is none." }
        try findRows(
            "SELECT Z_PK, ZENTITY FROM ACHANGE WHERE ZENTITY IS NULL OR ZENTITY NOT IN (SELECT Z_ENT FROM "
                + "Z_PRIMARYKEY)",
            "ACHANGE",
            nil,
            kind: "entity numbers"
        ) { "the entity number \($0[1].printed) is unknown." }
        guard let strings = tables["ATRANSACTIONSTRING"], !strings.isEmpty else { return }
        for column in ["ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS"]
        where tables["ATRANSACTION"]?.contains(column) == true {
            try findRows(
                "SELECT t.Z_PK, t.\(column) FROM ATRANSACTION t WHERE t.\(column) NOT NULL AND NOT EXISTS "
                    + "(SELECT 1 FROM ATRANSACTIONSTRING s WHERE s.Z_PK = t.\(column))",
                "ATRANSACTION",
                column,
                kind: "missing texts"
            ) { "the text \($0[1].printed) is not there." }
        }
        for (table, number) in [
            ("ACHANGE", HistorySchema.changeNumber), ("ATRANSACTION", HistorySchema.transactionNumber),
            ("ATRANSACTIONSTRING", HistorySchema.stringNumber),
        ] {
            let last = try rows("SELECT max(Z_PK) FROM \(table)").first?.first?.whole ?? 0
            let recorded = try connection.flatMap { try StoreFile.lastKey(rootEntity: number, in: $0) } ?? 0
            if recorded < last {
                problems.add(
                    "\(table): Z_PRIMARYKEY says that \(recorded) is the last key, but there is a row \(last)."
                )
            }
        }
    }
}
