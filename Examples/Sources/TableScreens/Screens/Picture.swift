// Detects a picture's format and size from the file's bytes. Used by Action for uploads, and by the responder for the
// content type of a served picture. It decodes no pixels; an invalid file with a valid header shows as broken.
import Foundation

/// A picture's format and size, read from its bytes.
public struct Picture: Sendable, Equatable {
    /// The formats that every browser shows and that cannot contain scripts.
    public enum Format: String, Sendable, CaseIterable {
        case png = "image/png"
        case jpeg = "image/jpeg"
        case gif = "image/gif"
        case webP = "image/webp"
    }

    /// The maximum number of pixels: a small file can decompress to more than a browser can hold.
    public static let pixelLimit = 100_000_000

    /// The format of the bytes, regardless of the file name.
    public let format: Format
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int

    /// Detects a picture's format and size.
    ///
    /// - Parameter data: The file's bytes.
    /// - Complexity: O(1), for JPEG O(segments).
    /// - Throws: `ScreenError.badInput` if the bytes are not a picture, or the picture is damaged or too large.
    public init(_ data: Data) throws {
        guard !data.isEmpty else { throw ScreenError.badInput("The file is empty. Choose a picture.") }
        guard let format = Self.format(of: data) else {
            throw ScreenError.badInput(
                "The file is not a picture that can be shown. Choose a PNG, JPEG, GIF or WebP file."
            )
        }
        let size = data.withUnsafeBytes { bytes in
            switch format {
            case .png: Self.sizeOfPNG(bytes)
            case .jpeg: Self.sizeOfJPEG(bytes)
            case .gif: Self.sizeOfGIF(bytes)
            case .webP: Self.sizeOfWebP(bytes)
            }
        }
        guard let size, size.width > 0, size.height > 0 else {
            throw ScreenError.badInput("The picture is damaged: its size cannot be read. Choose another file.")
        }
        guard size.width <= Self.pixelLimit / size.height else {
            throw ScreenError.badInput(
                "The picture is too large: it has \(size.width) by \(size.height) pixels. Make it smaller."
            )
        }
        self.format = format
        (width, height) = size
    }

    /// Returns the format that the first bytes indicate, or nil.
    static func format(of data: Data) -> Format? {
        let head = [UInt8](data.prefix(12))
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if head.starts(with: Array("GIF87a".utf8)) || head.starts(with: Array("GIF89a".utf8)) { return .gif }
        if head.starts(with: Array("RIFF".utf8)), head.dropFirst(8).starts(with: Array("WEBP".utf8)) { return .webP }
        return nil
    }

    // MARK: Sizes

    private typealias Size = (width: Int, height: Int)
    private typealias Bytes = UnsafeRawBufferPointer

    // OFFSET  SIZE  DESCRIPTION (big-endian)
    // 8       4     length of the first chunk, 13
    // 12      4     IHDR
    // 16      4     width
    // 20      4     height
    private static func sizeOfPNG(_ bytes: Bytes) -> Size? {
        guard bytes.count >= 33, big(bytes, 8, 4) == 13, big(bytes, 12, 4) == 0x4948_4452 else { return nil }
        return (big(bytes, 16, 4), big(bytes, 20, 4))
    }

    // OFFSET  SIZE  DESCRIPTION (little-endian)
    // 6       2     width
    // 8       2     height
    private static func sizeOfGIF(_ bytes: Bytes) -> Size? {
        guard bytes.count >= 13 else { return nil }
        return (little(bytes, 6, 2), little(bytes, 8, 2))
    }

    // Segments: 0xFF, marker, length (2, big-endian, including itself). Frame: precision (1), height (2), width (2).
    private static func sizeOfJPEG(_ bytes: Bytes) -> Size? {
        var place = 2
        while place + 9 < bytes.count {
            guard bytes[place] == 0xFF else { return nil }
            let marker = bytes[place + 1]
            if marker == 0xFF {
                place += 1
                continue
            }
            let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
            if isFrame { return (big(bytes, place + 7, 2), big(bytes, place + 5, 2)) }
            // Image data without a preceding frame.
            if marker == 0xDA || marker == 0xD9 { return nil }
            let length = big(bytes, place + 2, 2)
            guard length >= 2 else { return nil }
            place += 2 + length
        }
        return nil
    }

    // OFFSET  SIZE  DESCRIPTION (little-endian)
    // 12      4     VP8X, VP8L or VP8 with a space
    // VP8X: 24 and 27, 3 bytes each: width and height, less one
    // VP8L: 20, 1: 0x2F; then 14 bits width less one, 14 bits height less one
    // VP8:  23, 3: 9D 01 2A; 26 and 28, 2 bytes each: width and height in the lower 14 bits
    private static func sizeOfWebP(_ bytes: Bytes) -> Size? {
        guard bytes.count >= 30 else { return nil }
        switch String(decoding: bytes[12..<16], as: UTF8.self) {
        case "VP8X":
            return (little(bytes, 24, 3) + 1, little(bytes, 27, 3) + 1)
        case "VP8L" where bytes[20] == 0x2F:
            let bits = little(bytes, 21, 4)
            return ((bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1)
        case "VP8 " where bytes[23] == 0x9D && bytes[24] == 0x01 && bytes[25] == 0x2A:
            return (little(bytes, 26, 2) & 0x3FFF, little(bytes, 28, 2) & 0x3FFF)
        default:
            return nil
        }
    }

    private static func big(_ bytes: Bytes, _ place: Int, _ count: Int) -> Int {
        bytes[place..<(place + count)].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func little(_ bytes: Bytes, _ place: Int, _ count: Int) -> Int {
        bytes[place..<(place + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
