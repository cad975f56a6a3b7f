// The bytes of a binary attribute. Created by BrowsingSession.
import Foundation

/// Binary data with its format.
public struct BinaryValue: Codable, Sendable {
    /// The bytes.
    public var data: Data
    /// The format, such as `PNG`.
    public var form: String
    /// The media type: that of a picture which browsers show, otherwise `application/octet-stream`.
    public var mediaType: String
}
