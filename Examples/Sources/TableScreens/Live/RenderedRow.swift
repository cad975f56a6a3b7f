// A row as sent to browsers: its ID and its HTML.
import Foundation

/// A row as sent to browsers: its ID and its HTML.
struct RenderedRow: Sendable {
    var id: String
    var html: String
}
