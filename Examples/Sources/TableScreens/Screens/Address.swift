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
        path = Self.components(String(halves.first ?? "")).map { Self.decode($0) }
        query = halves.count > 1 ? Self.fields(String(halves[1])) : []
    }

    /// Returns the components between slashes, without empty ones.
    static func components(_ path: String) -> [String] {
        path.split(separator: "/").map(String.init)
    }

    /// Returns the pairs of a query or of an urlencoded form.
    static func fields(_ text: String) -> [(String, String)] {
        var text = text
        return text.withUTF8 { bytes in
            var decoder = FormDecoder()
            return decoder.fields(UnsafeRawBufferPointer(bytes))
        }
    }

    var text: String {
        let words = "/" + path.map(Self.encode).joined(separator: "/")
        guard !query.isEmpty else { return words }
        return words + "?" + query.map { "\(Self.encode($0.0))=\(Self.encode($0.1))" }.joined(separator: "&")
    }

    static func == (lhs: Address, rhs: Address) -> Bool { lhs.text == rhs.text }

    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )

    private static func encode(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }

    private static func decode(_ text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            var decoder = FormDecoder()
            return decoder.text(UnsafeRawBufferPointer(bytes), plusIsSpace: false)
        }
    }
}
