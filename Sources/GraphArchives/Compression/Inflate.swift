// Decompresses raw deflate data (RFC 1951), the form of the model in stores. Called by RawDeflate. Checks every length
// and distance; the caller limits the output, so that a small damaged file cannot exhaust memory.

/// Decompresses one stream.
struct Inflate {
    private let input: [UInt8]
    private var position = 0
    private var bits: UInt64 = 0
    private var bitCount = 0
    private var output: [UInt8] = []
    private let limit: Int

    init(_ input: [UInt8], limit: Int) {
        self.input = input
        self.limit = limit
    }

    /// The bytes; throws `RawDeflate.Damaged` if the data are invalid, truncated or decompress to more than the limit.
    mutating func run() throws(RawDeflate.Damaged) -> [UInt8] {
        output.reserveCapacity(min(limit, input.count * 4))
        var isLast = false
        while !isLast {
            isLast = try take(1) == 1
            switch try take(2) {
            case 0: try stored()
            case 1: try compressed(Self.fixedLengths, Self.fixedDistances)
            case 2:
                let (lengths, distances) = try dynamicTables()
                try compressed(lengths, distances)
            default: throw .init()
            }
        }
        return output
    }

    // MARK: Bits, least significant first

    private mutating func take(_ count: Int) throws(RawDeflate.Damaged) -> Int {
        guard count > 0 else { return 0 }
        while bitCount < count {
            guard position < input.count else { throw .init() }
            bits |= UInt64(input[position]) << UInt64(bitCount)
            position += 1
            bitCount += 8
        }
        let value = Int(bits & (1 << UInt64(count) - 1))
        bits >>= UInt64(count)
        bitCount -= count
        return value
    }

    private mutating func symbol(_ table: HuffmanTable) throws(RawDeflate.Damaged) -> Int {
        var code = 0
        for length in 1...HuffmanTable.longest {
            code = try code << 1 | take(1)
            if let symbol = table.symbol(code, length: length) { return symbol }
        }
        throw .init()
    }

    // MARK: Blocks

    private mutating func stored() throws(RawDeflate.Damaged) {
        // The rest of the byte is unused; return whole bytes that were read ahead.
        position -= bitCount / 8
        bits = 0
        bitCount = 0
        guard position + 4 <= input.count else { throw .init() }
        let length = Int(input[position]) | Int(input[position + 1]) << 8
        let inverse = Int(input[position + 2]) | Int(input[position + 3]) << 8
        position += 4
        guard length == ~inverse & 0xffff, position + length <= input.count, output.count + length <= limit else {
            throw .init()
        }
        output += input[position..<position + length]
        position += length
    }

    private mutating func compressed(
        _ lengths: HuffmanTable,
        _ distances: HuffmanTable
    ) throws(RawDeflate.Damaged) {
        while true {
            let symbol = try symbol(lengths)
            switch symbol {
            case ..<256:
                guard output.count < limit else { throw .init() }
                output.append(UInt8(symbol))
            case 256: return
            case 257..<286:
                let entry = DeflateCodes.lengths[symbol - 257]
                let length = try entry.base + take(entry.extraBits)
                let code = try self.symbol(distances)
                guard code < DeflateCodes.distances.count else { throw .init() }
                let place = DeflateCodes.distances[code]
                let distance = try place.base + take(place.extraBits)
                guard distance <= output.count, output.count + length <= limit else { throw .init() }
                // Copy byte by byte, as the source may overlap the output.
                for _ in 0..<length { output.append(output[output.count - distance]) }
            default: throw .init()
            }
        }
    }

    private mutating func dynamicTables() throws(RawDeflate.Damaged) -> (HuffmanTable, HuffmanTable) {
        let lengthCount = try take(5) + 257
        let distanceCount = try take(5) + 1
        let codeCount = try take(4) + 4
        var codeLengths = [UInt8](repeating: 0, count: 19)
        for index in 0..<codeCount { codeLengths[DeflateCodes.order[index]] = UInt8(try take(3)) }
        let codes = try HuffmanTable(codeLengths)
        var all: [UInt8] = []
        while all.count < lengthCount + distanceCount {
            let code = try symbol(codes)
            switch code {
            case ..<16: all.append(UInt8(code))
            case 16:
                guard let last = all.last else { throw .init() }
                all += [UInt8](repeating: last, count: try take(2) + 3)
            case 17: all += [UInt8](repeating: 0, count: try take(3) + 3)
            default: all += [UInt8](repeating: 0, count: try take(7) + 11)
            }
        }
        guard all.count == lengthCount + distanceCount, all[256] > 0 else { throw .init() }
        return (try HuffmanTable(Array(all[..<lengthCount])), try HuffmanTable(Array(all[lengthCount...])))
    }

    private static let fixedLengths = HuffmanTable(fixed: (0..<288).map(DeflateCodes.fixedLength))
    private static let fixedDistances = HuffmanTable(fixed: [UInt8](repeating: 5, count: 30))
}
