// Damages one copy: flips bytes anywhere, in the metadata, in the cached model or in the log; truncates the file; or
// sets a cell to a value that no framework writes.
import Foundation
import GraphSQL
import GraphSQLite
import ManagedGraph
import TestSupport

/// The damage of one case.
struct Damage {
    let original: StoreDamageCases.Original
    var random: SeededNumbers

    /// Writes the damaged copy and returns the kind of damage.
    mutating func apply(_ number: Int, to url: URL) throws -> String {
        var (file, log) = (original.file, original.log)
        var kind = "flip"
        // Nine of ten cases flip bytes anywhere.
        switch number % 30 {
        case 3 where !original.blobs.isEmpty:
            kind = "blob"
            let range = original.blobs[random.below(original.blobs.count)]
            for _ in 0...random.below(4) { flip(&file, in: range) }
        case 13:
            kind = "cut"
            file = file.prefix(cut(file.count))
        case 23 where !log.isEmpty:
            kind = "log"
            if random.below(3) == 0 { log = log.prefix(cut(log.count)) } else { flip(&log, in: 0..<log.count) }
        case 23:
            kind = "cell"
            try file.write(to: url)
            if !log.isEmpty { try log.write(to: URL(filePath: url.path + "-wal")) }
            replaceCell(url)
            return kind
        default:
            for _ in 0...(random.below(8) == 0 ? random.below(20) : 0) { flip(&file, in: 0..<file.count) }
        }
        try file.write(to: url)
        if !log.isEmpty { try log.write(to: URL(filePath: url.path + "-wal")) }
        return kind
    }

    private mutating func flip(_ data: inout Data, in range: Range<Int>) {
        let place = data.startIndex + range.lowerBound + random.below(range.count)
        // One bit, or the whole byte.
        data[place] ^= random.below(2) == 0 ? 1 << UInt8(random.below(8)) : UInt8(1 + random.below(255))
    }

    /// A length at or near a boundary: of a page, of the header, of the file.
    private mutating func cut(_ count: Int) -> Int {
        let page = 4_096
        let lengths = [0, 1, 16, 99, 100, page - 1, page, page + 1, count / 2, count - 1, count - page]
        let choice = random.below(lengths.count + 3)
        let length = choice < lengths.count ? lengths[choice] : random.below(max(1, count / page)) * page
        return min(max(0, length), count)
    }

    /// Replaces one cell with an invalid value, if it can be replaced.
    private mutating func replaceCell(_ url: URL) {
        let values = [
            "NULL", "-1", "0", "9223372036854775807", "-9223372036854775808", "1e308", "'text'", "x''", "x'02'",
            "x'000102030405060708090A0B0C0D0E'", "CAST(x'C328FF' AS TEXT)", "zeroblob(100000)", "70000", "0.5",
        ]
        do {
            let connection = try Connection(path: url.path)
            defer { connection.close() }
            for name in StoreSchema.triggerFunctions {
                try connection.registerFunction(name, argumentCount: 5, deterministic: false) { _ in .null }
            }
            let tables = try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")
            guard case .text(let table)? = tables[random.below(tables.count)].first else { return }
            let columns = try connection.rows("PRAGMA table_info(\(table))")
            guard case .text(let column) = columns[random.below(columns.count)][1] else { return }
            try connection.execute(
                "UPDATE \(table) SET \(column) = \(values[random.below(values.count)]) WHERE rowid = (SELECT rowid FROM "
                    + "\(table) LIMIT 1 OFFSET \(random.below(5)))"
            )
        } catch {
            return
        }
    }
}
