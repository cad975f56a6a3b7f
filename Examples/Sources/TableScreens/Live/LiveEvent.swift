// The messages of an event stream, and the window of rows at the beginning of a page, in the format that tables.js
// reads.
import Foundation

/// One message of an event stream.
struct LiveEvent: Sendable {
    enum Kind: String, Sendable {
        /// Row changes that lead from one version to the next.
        case change
        /// The browser must request the window again.
        case refresh
        /// The object shown does not exist any more.
        case gone
        /// The progress of a job.
        case job
        /// A heartbeat; if it cannot be written, the browser has disconnected.
        case beat
    }

    var kind: Kind
    /// The version before and after.
    var from: Int
    var to: Int
    /// The message's JSON, without line breaks.
    var data: String
}

/// A row as sent to browsers: its ID and its HTML.
struct RenderedRow: Sendable {
    var id: String
    var html: String
}

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

extension JSONValue {
    static func sections(_ sections: [SectionShape]) -> JSONValue {
        .array(sections.map { .array([.string($0.title), .integer($0.count)]) })
    }

    static func change(_ change: RowChange, html: (Row) -> String) -> JSONValue {
        switch change {
        case .delete(let place):
            .array([.string("delete"), .integer(place)])
        case .insert(let place, let row):
            .array([.string("insert"), .integer(place), .string(row.id), .string(html(row))])
        case .move(let from, let to, let row):
            .array([.string("move"), .integer(from), .integer(to), .string(row.id), .string(html(row))])
        case .update(let row):
            .array([.string("update"), .string(row.id), .string(html(row))])
        }
    }
}
