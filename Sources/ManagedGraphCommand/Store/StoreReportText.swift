// Reports on stores as text. Used by the commands for stores.
import Foundation
import ManagedGraphTools

struct StoreReportText {
    private let output: Output

    init(_ output: Output) { self.output = output }

    /// The findings of a check, on one line if there are no problems.
    func text(_ report: StoreReport) -> String {
        let rows = report.entities.reduce(0) { $0 + $1.rows }
        var facts = ["\(rows) objects of \(report.entities.count) entities"]
        facts.append("\(report.relationships) relationships")
        if report.external > 0 { facts.append("\(report.external) external values") }
        if let history = report.history { facts.append("\(history.transactions) transactions of history") }
        facts.append("model: \(clean(report.model ?? "none"))")
        let verdict = report.isOK ? output.paint("ok", .green) : output.paint("problems", .red)
        var lines = "\(clean(report.file)): \(verdict) (\(facts.joined(separator: ", ")))\n"
        for problem in report.problems { lines += "  \(output.paint("problem:", .red)) \(clean(problem))\n" }
        for note in report.notes { lines += "  \(output.paint("note:", .yellow)) \(clean(note))\n" }
        return lines
    }

    /// Facts about a store, one per line.
    func text(_ facts: StoreInformation) -> String {
        var lines: [(String, String)] = [("type", facts.type), ("UUID", facts.uuid)]
        func add(_ name: String, _ value: String?) { if let value, !value.isEmpty { lines.append((name, value)) } }
        add("framework version", facts.frameworkVersion.map(String.init))
        add("hashes version", facts.hashesVersion.map(String.init))
        add("model versions", facts.versionIdentifiers.joined(separator: ", "))
        add("model checksum", facts.versionChecksum)
        add("hashes digest", facts.versionHashesDigest)
        add("model", facts.model ?? "none found")
        add("server", facts.server)
        add("schema", facts.databaseSchema)
        add("page size", facts.pageSize.map { "\($0) bytes" })
        add("journal mode", facts.journalMode)
        add("size on disk", "\(facts.size) bytes")
        if facts.externalFiles > 0 { add("external files", "\(facts.externalFiles)") }
        add("history", facts.history.map { "\($0.transactions) transactions, \($0.changes) changes" })
        for (key, value) in facts.ownMetadata { add("metadata \(key)", value) }
        for (name, rows) in facts.entities { add("entity \(name)", "\(rows) rows") }
        return "\(output.paint(clean(facts.file), .bold))\n" + lines.map { "  \(clean("\($0.0): \($0.1)"))\n" }.joined()
    }

    /// A store of unknown origin must not control the terminal by its names and values.
    private func clean(_ text: String) -> String { TextWidth.harmless(text) }
}
