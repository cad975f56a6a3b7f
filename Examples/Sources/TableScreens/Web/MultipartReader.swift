// An incremental parser for multipart/form-data bodies (RFC 7578), for pieces of any size. Used by FormBody+Reading.
// Its memory is bounded by the limits for any input.
import Foundation

struct MultipartReader {
    /// The maximum size of a part's headers, which usually take a line or two.
    private static let headerLimit = 8 * 1024

    private enum State {
        /// Before the first delimiter, and in a part that is discarded.
        case skipping
        /// After a delimiter: the next two bytes determine whether another part follows.
        case delimited
        case headers
        case field(String)
        case file(String)
        case finished
        case malformed
    }

    private let limits: FormBody.Limits
    /// CRLF, two hyphens and the boundary.
    private let delimiter: [UInt8]
    private var state = State.skipping
    // The first delimiter is not preceded by a line break.
    private var pending: [UInt8] = [13, 10]
    private var body = FormBody()
    private var value: [UInt8] = []
    private var fieldBytes = 0
    private var fileBytes = 0
    private var parts = 0
    private var areFieldsTooLarge = false

    /// Nil if the content type is not multipart/form-data, or if its boundary is invalid.
    init?(contentType: String, limits: FormBody.Limits) {
        guard contentType.lowercased().hasPrefix("multipart/form-data") else { return nil }
        guard let boundary = Self.parameter("boundary", of: contentType), (1...70).contains(boundary.utf8.count),
            boundary.utf8.allSatisfy({ (32..<127).contains($0) })
        else { return nil }
        self.limits = limits
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    /// Parses the next bytes.
    mutating func read(_ bytes: UnsafeRawBufferPointer) {
        pending.append(contentsOf: bytes)
        var start = 0
        while let next = step(from: start) { start = next }
        pending.removeFirst(start)
        // The rest may contain the start of a delimiter, or incomplete headers.
        if case .headers = state, pending.count > Self.headerLimit { state = .malformed }
        if case .malformed = state { pending = [] }
        if case .finished = state { pending = [] }
    }

    /// The number of buffered bytes that are not part of the form yet; used by tests.
    var keptBytes: Int { pending.count + value.count }

    /// Returns the form after all bytes have been read.
    func finish() throws(FormBody.Problem) -> FormBody {
        guard case .finished = state else { throw .unreadable }
        guard !areFieldsTooLarge else { throw .fieldsTooLarge }
        return body
    }

    /// Parses one step; returns the position of the first unused byte, or nil if more bytes are needed.
    private mutating func step(from start: Int) -> Int? {
        switch state {
        case .finished, .malformed:
            return nil
        case .delimited:
            guard pending.count - start >= 2 else { return nil }
            let isLast = pending[start] == UInt8(ascii: "-") && pending[start + 1] == UInt8(ascii: "-")
            let isNext = pending[start] == 13 && pending[start + 1] == 10
            state = isLast ? .finished : isNext ? .headers : .malformed
            return start + 2
        case .headers:
            guard let end = Self.find([13, 10, 13, 10], in: pending, from: start) else { return nil }
            begin(String(decoding: pending[start..<end], as: UTF8.self))
            return end + 4
        case .skipping, .field, .file:
            if let end = Self.find(delimiter, in: pending, from: start) {
                keep(pending[start..<end])
                complete()
                state = .delimited
                return end + delimiter.count
            }
            let safe = pending.count - delimiter.count + 1
            guard safe > start else { return nil }
            keep(pending[start..<safe])
            return safe
        }
    }

    /// Begins a part according to its headers.
    private mutating func begin(_ headers: String) {
        state = .skipping
        value = []
        parts += 1
        guard parts <= limits.parts else { return areFieldsTooLarge = true }
        let line = headers.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix("content-disposition:") }
        guard let line, let name = Self.parameter("name", of: line) else { return state = .malformed }
        guard let file = Self.parameter("filename", of: line) else { return state = .field(name) }
        // A browser sends a file field without a file with an empty file name.
        guard !file.isEmpty else { return }
        body.files[name] = FormBody.File(name: file, data: Data())
        state = .file(name)
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        switch state {
        case .field:
            fieldBytes += bytes.count
            guard fieldBytes <= limits.fields else {
                areFieldsTooLarge = true
                value = []
                return state = .skipping
            }
            value.append(contentsOf: bytes)
        case .file(let name):
            fileBytes += bytes.count
            guard value.count + bytes.count <= limits.file, fileBytes <= limits.files else {
                body.oversizedFile = body.oversizedFile ?? body.files[name]?.name
                body.files[name] = nil
                value = []
                return state = .skipping
            }
            value.append(contentsOf: bytes)
        case .skipping, .delimited, .headers, .finished, .malformed:
            break
        }
    }

    private mutating func complete() {
        switch state {
        case .field(let name): body.fields[name] = String(decoding: value, as: UTF8.self)
        case .file(let name): body.files[name]?.data = Data(value)
        case .skipping, .delimited, .headers, .finished, .malformed: break
        }
        value = []
    }

    // MARK: Bytes

    /// Returns the position of the first occurrence of a byte sequence that begins with a carriage return.
    private static func find(_ pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBytes { all in
            pattern.withUnsafeBytes { pattern in
                guard let base = all.baseAddress, let target = pattern.baseAddress else { return nil }
                var place = start
                while place + pattern.count <= all.count {
                    let remaining = all.count - place - pattern.count + 1
                    guard let match = memchr(base + place, 13, remaining) else { return nil }
                    place = base.distance(to: UnsafeRawPointer(match))
                    if memcmp(base + place, target, pattern.count) == 0 { return place }
                    place += 1
                }
                return nil
            }
        }
    }

    /// Returns a header parameter, `name="value"` or `name=value`; browsers write a quote in a value as %22 or \".
    static func parameter(_ name: String, of header: String) -> String? {
        var rest = header[...]
        while let semicolon = rest.firstIndex(of: ";") {
            rest = rest[rest.index(after: semicolon)...].drop { $0 == " " || $0 == "\t" }
            guard let equals = rest.firstIndex(of: "=") else { return nil }
            let key = rest[..<equals].lowercased()
            rest = rest[rest.index(after: equals)...]
            var value = ""
            if rest.first == "\"" {
                rest = rest.dropFirst()
                while let character = rest.popFirst(), character != "\"" {
                    value.append(character == "\\" && rest.first == "\"" ? rest.removeFirst() : character)
                }
            } else {
                value = rest.prefix { $0 != ";" && $0 != " " }.description
            }
            if key == name { return value.replacingOccurrences(of: "%22", with: "\"") }
        }
        return nil
    }
}
