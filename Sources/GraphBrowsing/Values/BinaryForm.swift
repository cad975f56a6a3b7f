// Recognizes formats of binary data by their first bytes. Called by CellReader.
import Foundation

/// A format of binary data.
struct BinaryForm {
    let name: String
    /// The media type of a picture that browsers show; nil for other formats.
    ///
    /// SVG is left out: it can contain scripts.
    let mediaType: String?

    private static let signatures: [([UInt8], BinaryForm)] = [
        ([0x89, 0x50, 0x4E, 0x47], BinaryForm(name: "PNG", mediaType: "image/png")),
        ([0xFF, 0xD8, 0xFF], BinaryForm(name: "JPEG", mediaType: "image/jpeg")),
        (Array("GIF8".utf8), BinaryForm(name: "GIF", mediaType: "image/gif")),
        (Array("%PDF".utf8), BinaryForm(name: "PDF", mediaType: nil)),
        (Array("bplist".utf8), BinaryForm(name: "property list", mediaType: nil)),
        (Array("SQLite format 3".utf8), BinaryForm(name: "SQLite", mediaType: nil)),
        ([0x1F, 0x8B], BinaryForm(name: "gzip", mediaType: nil)),
        ([0x50, 0x4B, 0x03, 0x04], BinaryForm(name: "ZIP", mediaType: nil)),
    ]

    /// Recognizes a format.
    static func of(_ data: Data) -> BinaryForm {
        for (signature, form) in signatures where data.starts(with: signature) { return form }
        if data.count > 12, data.starts(with: Array("RIFF".utf8)), data.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            return BinaryForm(name: "WebP", mediaType: "image/webp")
        }
        let head = data.prefix(512)
        let isText = !head.isEmpty && head.allSatisfy { $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }
        if isText, String(data: data.prefix(512), encoding: .utf8) != nil {
            return BinaryForm(name: "text", mediaType: nil)
        }
        return BinaryForm(name: "data", mediaType: nil)
    }

    init(name: String, mediaType: String?) { (self.name, self.mediaType) = (name, mediaType) }
}
