// The messages of an event stream, and the window of rows at the beginning of a page, in the format that tables.js
// reads.
import Foundation
import WebSupport

/// One message of an event stream.
struct LiveEvent: Sendable {
    enum Kind: String, Sendable {
        /// Row changes that lead from one version to the next.
        case change
        /// The browser must request the window again.
        case refresh
        /// The shown object no longer exists.
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

    /// The event to send to a browser that has a version; nil before its first event.
    ///
    /// A gap means that a queue overflowed, so the browser must load the window again.
    func following(_ version: Int?) -> LiveEvent {
        guard kind == .change, let version, version != from else { return self }
        return Broadcaster.refresh(at: to)
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
