// Addresses within the server, parsed and composed with percent encoding. Values only.
import Foundation

struct Address: Equatable {
    var path: [String]
    var query: [(String, String)]

    init(path: [String], query: [(String, String)] = []) {
        self.path = path
        self.query = query
    }

    /// Parses the target of a request.
    init(target: String) {
        let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = Self.components(String(halves.first ?? "")).map { Self.decode($0, plusIsSpace: false) }
        query = halves.count > 1 ? Self.fields(String(halves[1])) : []
    }

    /// Returns the components between slashes, without empty ones.
    static func components(_ path: String) -> [String] {
        path.split(separator: "/").map(String.init)
    }

    /// Returns the pairs of a query or of an urlencoded form.
    static func fields(_ text: String) -> [(String, String)] {
        text.split(separator: "&").map { pair in
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = decode(String(halves[0]), plusIsSpace: true)
            return (name, halves.count > 1 ? decode(String(halves[1]), plusIsSpace: true) : "")
        }
    }

    var text: String {
        let words = "/" + path.map(Self.encode).joined(separator: "/")
        guard !query.isEmpty else { return words }
        return words + "?" + query.map { "\(Self.encode($0.0))=\(Self.encode($0.1))" }.joined(separator: "&")
    }

    static func == (one: Address, other: Address) -> Bool { one.text == other.text }

    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )

    private static func encode(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }

    /// Ill-formed UTF-8 becomes U+FFFD, which matches nothing.
    private static func decode(_ text: String, plusIsSpace: Bool) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "+"), plusIsSpace {
                bytes.append(UInt8(ascii: " "))
            } else if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
