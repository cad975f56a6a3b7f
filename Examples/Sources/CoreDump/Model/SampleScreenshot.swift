// Draws the screenshot of a sample bug: a list on a phone with a gap, and a ring around the gap. Called by the samples.
import Foundation

/// A picture of a few colours, drawn by rectangles and rings.
struct SampleScreenshot {
    static let width = 390
    static let height = 640

    private enum Colour: UInt8, CaseIterable {
        case background, card, label, secondary, separator, tint, warning

        var rgb: [UInt8] {
            switch self {
            case .background: [242, 242, 247]
            case .card: [255, 255, 255]
            case .label: [40, 40, 46]
            case .secondary: [160, 160, 168]
            case .separator: [216, 216, 222]
            case .tint: [10, 106, 224]
            case .warning: [215, 0, 21]
            }
        }
    }

    private var pixels = [UInt8](repeating: Colour.background.rawValue, count: width * height)

    /// Returns the picture as a PNG file of some 250 kB: the pixels are not compressed.
    static func png() -> Data {
        var picture = SampleScreenshot()
        picture.draw()
        return picture.file
    }

    private mutating func draw() {
        fill(.card, 0, 0, Self.width, 64)
        fill(.separator, 0, 63, Self.width, 1)
        fill(.tint, 18, 30, 58, 10)
        fill(.label, 160, 28, 70, 14)
        fill(.tint, 352, 34, 20, 3)
        fill(.tint, 360, 25, 3, 20)
        for (place, width) in [168, 120, 0, 206, 142, 96, 184].enumerated() where width > 0 {
            let top = 88 + place * 66
            fill(.card, 16, top, Self.width - 32, 62)
            fill(.label, 34, top + 17, width, 11)
            fill(.secondary, 34, top + 37, width * 2 / 3, 8)
            fill(.secondary, 318, top + 25, 34, 10)
        }
        ring(.warning, x: 195, y: 88 + 2 * 66 + 31, across: 172, along: 46)
    }

    private mutating func fill(_ colour: Colour, _ left: Int, _ top: Int, _ width: Int, _ height: Int) {
        for row in top..<(top + height) {
            for column in left..<(left + width) { pixels[row * Self.width + column] = colour.rawValue }
        }
    }

    private mutating func ring(_ colour: Colour, x: Double, y: Double, across: Double, along: Double) {
        for row in 0..<Self.height {
            for column in 0..<Self.width {
                let (dx, dy) = ((Double(column) - x) / across, (Double(row) - y) / along)
                let distance = abs((dx * dx + dy * dy).squareRoot() - 1)
                if distance < 0.035 { pixels[row * Self.width + column] = colour.rawValue }
            }
        }
    }

    // MARK: File format

    // The signature, then chunks: length (4, big-endian), type (4), contents, CRC-32 of type and contents (4).
    private var file: Data {
        var data = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        // Width, height, 8 bits per pixel, indexes into the palette, the usual methods.
        Self.append("IHDR", Self.big(Self.width) + Self.big(Self.height) + [8, 3, 0, 0, 0], to: &data)
        Self.append("PLTE", Colour.allCases.flatMap(\.rgb), to: &data)
        var rows: [UInt8] = []
        for row in 0..<Self.height { rows += [0] + pixels[(row * Self.width)..<((row + 1) * Self.width)] }
        Self.append("IDAT", Self.stored(rows), to: &data)
        Self.append("IEND", [], to: &data)
        return data
    }

    private static func append(_ type: String, _ contents: [UInt8], to data: inout Data) {
        let bytes = Array(type.utf8) + contents
        data.append(contentsOf: big(contents.count) + bytes + big(Int(checksum(bytes))))
    }

    /// A zlib stream of blocks that are stored as they are (RFC 1950 and 1951).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        let size = 65_535
        for start in stride(from: 0, to: bytes.count, by: size) {
            let block = bytes[start..<min(bytes.count, start + size)]
            let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
            stream += [start + size >= bytes.count ? 1 : 0, low, high, ~low, ~high] + block
        }
        var (sum, sumOfSums) = (1, 0)
        for byte in bytes {
            sum = (sum + Int(byte)) % 65_521
            sumOfSums = (sumOfSums + sum) % 65_521
        }
        return stream + big(sumOfSums << 16 | sum)
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = ~0
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }

    private static func big(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
