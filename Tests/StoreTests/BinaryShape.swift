// The content of a binary store, read without the framework's stores, for comparing two files.
import Foundation
import GraphArchives

/// The content of a binary store.
struct BinaryShape {
    struct Node {
        var number: Int64
        var entity: String
        var values: [String]
        var related: [String: (isToMany: Bool, numbers: [Int64])]
        var summary: String {
            let lines = related.filter { !$0.key.hasPrefix("back_") }.sorted { $0.key < $1.key }.map {
                "\($0.key) \($0.value.isToMany) \($0.value.numbers.sorted())"
            }
            return "\(entity) \(values) \(lines)"
        }
    }

    let header: [UInt64]
    let nodes: [Node]

    init(_ data: Data) throws {
        let bytes = [UInt8](data.prefix(64))
        header = stride(from: 8, to: 64, by: 8).map { offset in
            bytes[offset..<offset + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
        let objects = data.dropFirst(Int(header[3])).prefix(Int(header[4]))
        guard let archive = KeyedArchive(Data(objects)) else { throw CocoaError(.fileReadCorruptFile) }
        func text(_ value: ListValue) -> String {
            if let text = archive.text(value) { return "text \(text)" }
            if let object = archive.object(value) {
                // Decimal numbers are read from either class.
                return object.className == "NSDecimalNumberPlaceholder" ? "NSDecimalNumber" : object.className
            }
            switch archive.resolve(value) {
            case .integer(let number): return "integer \(number)"
            case .boolean(let flag): return "integer \(flag ? 1 : 0)"
            case let other: return "\(other.map { "\($0)" } ?? "null")"
            }
        }
        nodes = archive.members(archive.object(archive.top["mapData"])).compactMap { reference in
            guard let object = archive.object(reference) else { return nil }
            var related: [String: (Bool, [Int64])] = [:]
            for (key, value) in archive.pairs(archive.object("NSRelatedNodes", of: object)) {
                let list = archive.object(value)
                related[key] = (
                    list?.className == "NSMutableArray",
                    archive.members(list).compactMap {
                        if case .integer(let n)? = archive.resolve($0) { n } else { nil }
                    }
                )
            }
            return Node(
                number: Int64(archive.integer("NSPrimaryKey64", of: object) ?? 0),
                entity: archive.text("NSEntityName", of: object) ?? "",
                values: archive.members(archive.object("NSAttributeValues", of: object)).map(text),
                related: related
            )
        }
        .sorted { $0.number < $1.number }
    }
}
