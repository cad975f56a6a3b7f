// `managedgraph store history`: prints the saves of a store and their authors. HistoryReading reads the history.
import ArgumentParser
import Foundation
import GraphArchives
import ManagedGraphTools

struct StoreHistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Shows the persistent history of a store.",
        discussion: """
            Prints transactions, oldest first, with the changes of each. The store is not changed.

            EXAMPLES
              managedgraph store history db.sqlite
              managedgraph store history db.sqlite --since 120 --entity Task
              managedgraph store history db.sqlite --since 2026-11-21T08:00:00Z --json

            With --json, each line is an object for one transaction: "transaction" (its number), "date", "author", \
            "context", "bundle", "process", and "changes": "change" (its number), "type" (insert, update or delete), \
            "entity", "object" (a URI), "properties" (set by an update), and "tombstone" (values kept from a deleted \
            object).
            """
    )

    @OptionGroup var arguments: StoreArguments

    @Option(
        help: ArgumentHelp(
            "Start after this point: a transaction's number, a date in ISO 8601, or an archived token in base64.",
            valueName: "point"
        )
    )
    var since: String?

    @Option(help: ArgumentHelp("Only changes of this entity and its subentities.", valueName: "entity"))
    var entity: String?

    @OptionGroup var options: ReadingOptions

    func run() throws {
        try options.read(arguments) { reading, output in
            let start = try since.map { try HistoryReading.Start($0, for: reading) } ?? .beginning
            try HistoryReading(reading).each(from: start, entity: entity) {
                try options.json ? output.line(Self.json($0)) : write($0, to: output)
            }
        }
    }

    private func write(_ transaction: HistoryReading.Transaction, to output: Output) throws {
        let date = DateText.text(transaction.seconds) ?? "\(transaction.seconds)"
        let facts = [
            transaction.author.map { "author \($0)" }, transaction.context.map { "context \($0)" },
            transaction.bundle.isEmpty ? nil : transaction.bundle,
        ].compactMap(\.self).map(TextWidth.harmless)
        try output.line(
            output.paint("transaction \(transaction.number)", .bold) + "  \(date)"
                + (facts.isEmpty ? "" : "  " + facts.joined(separator: ", "))
        )
        let colours: [String: Colour] = ["insert": .green, "update": .yellow, "delete": .red]
        for change in transaction.changes {
            let type = output.paint(change.type, colours[change.type] ?? .yellow)
            let key = change.object.split(separator: "/").last.map(String.init) ?? ""
            var line = "  \(type)  \(change.entity)/\(key)"
            if !change.properties.isEmpty { line += "  " + change.properties.joined(separator: ", ") }
            for attribute in change.tombstone {
                line += "  \(attribute.name) = \(TextWidth.harmless(attribute.value.tableText))"
            }
            try output.line(line)
        }
    }

    private static func json(_ transaction: HistoryReading.Transaction) -> JSONValue {
        .object([
            ("transaction", .number(Int(transaction.number))), ("date", .string(DateText.text(transaction.seconds))),
            ("author", .string(transaction.author)), ("context", .string(transaction.context)),
            ("bundle", .string(transaction.bundle)), ("process", .string(transaction.process)),
            ("changes", .array(transaction.changes.map(json))),
        ])
    }

    private static func json(_ change: HistoryReading.Change) -> JSONValue {
        .object([
            ("change", .number(Int(change.number))), ("type", .string(change.type)), ("entity", .string(change.entity)),
            ("object", .string(change.object)), ("properties", .array(change.properties.map { .string($0) })),
            ("tombstone", .object(change.tombstone.map { ($0.name, .string($0.value.text)) })),
        ])
    }
}
