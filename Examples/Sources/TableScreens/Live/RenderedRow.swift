// The messages of an event stream, and the window of rows at the beginning of a page, in the format that tables.js
// reads. Beside `LiveEvent`.
import Foundation

/// A row as sent to browsers: its ID and its HTML.
struct RenderedRow: Sendable {
    var id: String
    var html: String
}
