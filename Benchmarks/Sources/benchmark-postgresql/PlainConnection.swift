// Direct use of libpq: binary values, prepared statements, a pipeline, COPY.
import CLibpq
import Foundation

final class PlainConnection {
    private let handle: OpaquePointer
    private var prepared: Set<String> = []

    init(_ address: String) throws {
        guard let handle = PQconnectdb(address), PQstatus(handle) == CONNECTION_OK else {
            throw BenchmarkError("There is no connection to \(address).")
        }
        self.handle = handle
    }

    deinit { PQfinish(handle) }

    func failure() -> BenchmarkError { BenchmarkError(String(cString: PQerrorMessage(handle))) }

    /// Prepares a statement, unless its name is taken by an earlier run.
    func prepare(_ name: String, _ text: String) throws {
        guard !prepared.contains(name) else { return }
        guard let result = PQprepare(handle, name, text, 0, nil) else { throw failure() }
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw failure() }
        prepared.insert(name)
    }

    @discardableResult
    func run(_ name: String, _ values: PlainParameters = PlainParameters()) throws -> PlainResult {
        guard let result = with(values, { PQexecPrepared(handle, name, $0, $1, $2, $3, 1) }) else { throw failure() }
        guard [PGRES_TUPLES_OK, PGRES_COMMAND_OK].contains(PQresultStatus(result)) else { throw failure() }
        return PlainResult(result)
    }

    func execute(_ text: String) throws {
        guard let result = PQexec(handle, text) else { throw failure() }
        defer { PQclear(result) }
        guard [PGRES_TUPLES_OK, PGRES_COMMAND_OK].contains(PQresultStatus(result)) else { throw failure() }
    }

    private func with<R>(
        _ values: PlainParameters,
        _ body: (Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> R
    ) -> R {
        values.bytes.withUnsafeBytes { bytes in
            var start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            let pointers = values.lengths.map { length in
                defer { start = start?.advanced(by: Int(length)) }
                return start.map { UnsafePointer($0) }
            }
            let formats = [Int32](repeating: 1, count: pointers.count)
            return body(Int32(pointers.count), pointers, values.lengths, formats)
        }
    }

    // MARK: A transaction in one round trip

    /// Runs a prepared statement for each list of values, in one transaction and one round trip.
    func transaction(_ name: String, _ lists: [PlainParameters]) throws {
        PQsetnonblocking(handle, 1)
        defer { PQsetnonblocking(handle, 0) }
        guard PQenterPipelineMode(handle) == 1 else { throw failure() }
        try queue(PQsendQueryParams(handle, "BEGIN", 0, nil, nil, nil, nil, 1))
        for (place, values) in lists.enumerated() {
            try queue(with(values) { PQsendQueryPrepared(handle, name, $0, $1, $2, $3, 1) })
            if place % 64 == 63 { try flush() }
        }
        try queue(PQsendQueryParams(handle, "COMMIT", 0, nil, nil, nil, nil, 1))
        try queue(PQpipelineSync(handle))
        try flush()
        while true {
            guard let result = PQgetResult(handle) else { continue }
            let status = PQresultStatus(result)
            PQclear(result)
            if status == PGRES_PIPELINE_SYNC { break }
            guard status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK else { throw failure() }
        }
        guard PQexitPipelineMode(handle) == 1 else { throw failure() }
    }

    private func queue(_ code: Int32) throws {
        guard code == 1 else { throw failure() }
    }

    private func flush() throws {
        while true {
            switch PQflush(handle) {
            case 0: return
            case 1:
                var request = pollfd(fd: PQsocket(handle), events: Int16(POLLIN | POLLOUT), revents: 0)
                poll(&request, 1, -1)
                guard Int32(request.revents) & POLLIN == 0 || PQconsumeInput(handle) == 1 else { throw failure() }
            default: throw failure()
            }
        }
    }

    // MARK: COPY

    /// Writes rows in binary form.
    func copy(_ table: String, _ fill: (inout [UInt8], _ send: (inout [UInt8]) throws -> Void) throws -> Void) throws {
        guard let result = PQexec(handle, "COPY \(table) FROM STDIN (FORMAT binary)") else { throw failure() }
        PQclear(result)
        var bytes: [UInt8] = Array("PGCOPY\n".utf8) + [0xff, 0x0d, 0x0a, 0] + [UInt8](repeating: 0, count: 8)
        try fill(&bytes) { bytes in
            let code = bytes.withUnsafeBytes {
                PQputCopyData(handle, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count))
            }
            guard code == 1 else { throw failure() }
            bytes.removeAll(keepingCapacity: true)
        }
        bytes += [0xff, 0xff]
        let code = bytes.withUnsafeBytes {
            PQputCopyData(handle, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count))
        }
        guard code == 1, PQputCopyEnd(handle, nil) == 1 else { throw failure() }
        while let result = PQgetResult(handle) {
            defer { PQclear(result) }
            guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw failure() }
        }
    }
}
