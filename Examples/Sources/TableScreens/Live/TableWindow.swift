// The window of rows at the beginning of a page, in the format that tables.js reads.
import Foundation
import WebSupport

/// The rows around the visible part, with the shape of the whole table.
struct TableWindow: Sendable {
    var version: String
    var sections: [SectionShape]
    var start: Int
    var rows: [RenderedRow]

    var total: Int { sections.reduce(0) { $0 + $1.count } }

    /// The JSON that tables.js reads; `withRows` is false if the page already contains the rows.
    func json(withRows: Bool) -> String {
        let rows: [JSONValue] = withRows ? self.rows.map { .array([.string($0.id), .string($0.html)]) } : []
        return JSONValue.object([
            ("version", .string(version)), ("sections", .sections(sections)), ("start", .integer(start)),
            ("rows", .array(rows)),
        ]).text
    }
}
