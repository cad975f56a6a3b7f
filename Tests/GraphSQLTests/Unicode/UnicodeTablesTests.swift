import ExpectationSupport
import Foundation
import GraphSQL
import Testing

struct UnicodeTablesTests {
    /// With `WRITE_UNICODE_TABLES=1`, writes the text again; the functions then need another version.
    @Test func `The tables are those of Swift's properties of scalars`() throws {
        let computed = UnicodeTables.ofProperties()
        if ProcessInfo.processInfo.environment["WRITE_UNICODE_TABLES"] != nil { try Self.write(computed) }
        // As lines, so that a failure shows the table that differs and not all of them.
        for (recorded, line) in zip(Self.lines(UnicodeTables.shared), Self.lines(computed)) {
            expectEqual(
                recorded,
                line,
                "Swift has another version of Unicode: run WRITE_UNICODE_TABLES=1 make test FILTER=UnicodeTablesTests."
            )
        }
        let isSame = UnicodeTables.shared == computed
        #expect(isSame)
    }

    @Test func `Tables are read as they were written`() {
        var tables = UnicodeTables()
        for value in [0x300, 0x301, 0x302, 0x483] as [UInt32] { tables.marks.append(Unicode.Scalar(value)!) }
        for letter in "àáâýāăąɐ".unicodeScalars {
            tables.uppercase.add(letter, letter.properties.uppercaseMapping)
        }
        tables.uppercase.add("ß", "SS")
        tables.lowercase.add("ẞ", "ß")
        expectEqual(tables.uppercase.text, "e0-e2>c0 fd>dd 101-105/2>100 250>2c6f df>53.53")
        expectEqual(tables.marks.text, "300-302 483")
        #expect(UnicodeTables(text: tables.text) == tables)
    }

    private static func lines(_ tables: UnicodeTables) -> [Substring] {
        tables.text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    private static func write(_ tables: UnicodeTables) throws {
        var lines: [Substring] = []
        for table in Self.lines(tables) {
            var rest = table
            while rest.count > 110, let end = rest.prefix(110).lastIndex(of: " ") {
                lines.append(rest[...end] + "\\")
                rest = rest[rest.index(after: end)...]
            }
            lines.append(rest)
        }
        let content = """
            // The tables of Unicode as a text, written by UnicodeTablesTests.

            extension UnicodeTables {
                static var recorded: String {
                    \"""
            \(lines.map { $0.isEmpty ? "" : "        \($0)" }.joined(separator: "\n"))
                    \"""
                }
            }

            """
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let file = root.appending(path: "Sources/GraphSQL/PostgreSQL/UnicodeTables+Recorded.swift")
        try Data(content.utf8).write(to: file)
    }
}
