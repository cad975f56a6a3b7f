// The loop over the rows of a result, with no allocation and no retain or release per row. Used by
// PostgreSQLResult.batch.
import CPostgreSQL
import Foundation
import GraphEngine

/// The buffers of a batch being decoded.
struct BatchDecoder {
    /// The place of a value that cannot be decoded.
    struct Fault {
        var column: Int
        var row: Int
        var reason = Reason.value

        enum Reason { case value, size, memory }
    }

    private let result: OpaquePointer
    private let rows: Int
    private let columns: Int
    private let nullWords: Int
    private var cells: UnsafeMutablePointer<UInt64>
    private var arena: UnsafeMutablePointer<UInt8>
    private var arenaCapacity: Int
    private var arenaCount = 0

    init(_ result: PostgreSQLResult, rows: Int, plan: [CellStep]) throws {
        self.result = result.pointer
        self.rows = rows
        columns = plan.count
        nullWords = RowBatch.nullWords(plan.count)
        let size = PQresultMemorySize(result.pointer) + rows * (nullWords + columns) * 8
        guard size <= ResultMemory.limit else {
            throw PostgreSQLError(state: "53200", message: ResultMemory.excess(over: ResultMemory.limit))
        }
        // The result's own size bounds its texts; memory that is not written costs nothing.
        arenaCapacity = plan.contains(where: \.usesArena) ? min(PQresultMemorySize(result.pointer), 1 << 33) : 1
        guard let cells: UnsafeMutablePointer<UInt64> = reallocated(nil, rows * (nullWords + columns)),
            let arena: UnsafeMutablePointer<UInt8> = reallocated(nil, arenaCapacity)
        else { throw Self.outOfMemory }
        self.cells = cells
        self.arena = arena
    }

    func discard() {
        free(cells)
        free(arena)
    }

    private static var outOfMemory: PostgreSQLError {
        PostgreSQLError(
            state: "53200",
            message: "there is not enough memory for the rows of one fetch"
        )
    }

    /// The error of a fault whose cause is the size of the result or the memory; nil if it is the value.
    func error(_ fault: Fault) -> PostgreSQLError? {
        switch fault.reason {
        case .value: nil
        case .size: PostgreSQLError(state: "54000", message: "one result has more than 8 GB of text and data")
        case .memory: Self.outOfMemory
        }
    }

    /// Decodes the rows; returns the place of the value at which it stopped.
    mutating func decode(_ plan: UnsafeBufferPointer<CellStep>) -> Fault? {
        let stride = nullWords + columns
        let result = result
        for index in 0..<rows {
            let row = cells + index &* stride
            for word in 0..<nullWords { row[word] = 0 }
            let cell = row + nullWords
            let number = Int32(truncatingIfNeeded: index)
            for column in 0..<columns {
                let place = Int32(truncatingIfNeeded: column)
                let length = Int(PQgetlength(result, number, place))
                if length == 0, PQgetisnull(result, number, place) != 0 {
                    row[column &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: column & 63)
                    cell[column] = 0
                    continue
                }
                guard let value = PQgetvalue(result, number, place).map({ UnsafeRawPointer($0) }) else {
                    return Fault(column: column, row: index)
                }
                let step = plan[column]
                guard step.length == 0 || step.length == length else { return Fault(column: column, row: index) }
                switch step {
                case .int8, .float8: cell[column] = load(value, UInt64.self)
                case .int4: cell[column] = UInt64(bitPattern: Int64(load(value, Int32.self)))
                case .int2: cell[column] = UInt64(bitPattern: Int64(load(value, Int16.self)))
                case .boolean: cell[column] = value.load(as: UInt8.self) == 0 ? 0 : 1
                case .float4: cell[column] = Double(Float(bitPattern: load(value, UInt32.self))).bitPattern
                case .timestamp: cell[column] = PostgreSQLTime.seconds(load(value, Int64.self)).bitPattern
                case .int8AsReal: cell[column] = Double(load(value, Int64.self)).bitPattern
                case .int4AsReal: cell[column] = Double(load(value, Int32.self)).bitPattern
                case .bytes, .uuid:
                    if let reason = store(value, length, in: cell + column) {
                        return Fault(column: column, row: index, reason: reason)
                    }
                default:
                    if let reason = storeOther(
                        UnsafeRawBufferPointer(start: value, count: length),
                        plan[column],
                        column,
                        in: cell + column
                    ) {
                        return Fault(column: column, row: index, reason: reason)
                    }
                }
            }
        }
        return nil
    }

    /// Stores a value of a rare type.
    @inline(never)
    private mutating func storeOther(
        _ bytes: UnsafeRawBufferPointer,
        _ step: CellStep,
        _ column: Int,
        in cell: UnsafeMutablePointer<UInt64>
    ) -> Fault.Reason? {
        let type = PostgreSQLType(oid: PQftype(result, Int32(column)))
        switch step {
        case .numericText:
            guard let number = PostgreSQLNumeric(bytes) else { return .value }
            if let reason = reserve(number.maximumLength) { return reason }
            let length = number.write(arena + arenaCount)
            cell.pointee = position(length)
            arenaCount += length
        case .otherInteger:
            guard let value = CellDecoder.integer(bytes, type) else { return .value }
            cell.pointee = UInt64(bitPattern: value)
        case .otherReal:
            guard let value = CellDecoder.real(bytes, type) else { return .value }
            cell.pointee = value.bitPattern
        default:
            guard var text = CellDecoder.string(bytes, type) else { return .value }
            return text.withUTF8 { text in
                guard let start = text.baseAddress else {
                    cell.pointee = 0
                    return nil
                }
                return store(start, text.count, in: cell)
            }
        }
        return nil
    }

    /// Copies bytes into the arena, and their position into the cell.
    @inline(__always)
    private mutating func store(
        _ bytes: UnsafeRawPointer,
        _ length: Int,
        in cell: UnsafeMutablePointer<UInt64>
    ) -> Fault.Reason? {
        if arenaCount &+ length > arenaCapacity, let reason = reserve(length) { return reason }
        memcpy(arena + arenaCount, bytes, length)
        cell.pointee = position(length)
        arenaCount &+= length
        return nil
    }

    @inline(__always)
    private func position(_ length: Int) -> UInt64 {
        length == 0 ? 0 : UInt64(truncatingIfNeeded: arenaCount) &<< 31 | UInt64(truncatingIfNeeded: length)
    }

    /// Makes room in the arena; returns the reason if it would exceed 2^33 bytes or cannot grow.
    @inline(never)
    private mutating func reserve(_ length: Int) -> Fault.Reason? {
        let end = arenaCount + length
        if end <= arenaCapacity { return nil }
        guard end <= 1 << 33 else { return .size }
        let capacity = max(end, arenaCapacity * 2)
        guard let grown = reallocated(arena, capacity) else { return .memory }
        arena = grown
        arenaCapacity = capacity
        return nil
    }

    @inline(__always)
    private func load<Number: FixedWidthInteger & BitwiseCopyable>(
        _ value: UnsafeRawPointer,
        _ type: Number.Type
    ) -> Number {
        Number(bigEndian: value.loadUnaligned(as: type))
    }

    /// Transfers the buffers, trimmed to size, to a batch.
    mutating func finish(kinds: [ColumnKind], hasMore: Bool) -> RowBatch {
        // If the buffer cannot be shrunk, it keeps its size.
        arena = reallocated(arena, arenaCount) ?? arena
        return RowBatch(
            kinds: kinds,
            count: rows,
            hasMore: hasMore,
            cells: cells,
            arena: arena,
            arenaByteCount: arenaCount
        )
    }
}

/// Resizes a buffer; returns nil, with the buffer unchanged, if there is not enough memory.
private func reallocated<Element>(
    _ pointer: UnsafeMutablePointer<Element>?,
    _ count: Int
) -> UnsafeMutablePointer<Element>? {
    realloc(pointer, max(1, count) * MemoryLayout<Element>.stride)?.bindMemory(to: Element.self, capacity: count)
}
