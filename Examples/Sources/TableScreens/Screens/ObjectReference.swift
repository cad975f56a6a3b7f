// An object's URI representation, shortened for addresses: x-coredata://UUID/Task/p12 becomes `Task-p12`, because the
// store is implied. Parsing is strict, because the text is untrusted input.
import Foundation

struct ObjectReference: Equatable {
    let entityName: String
    /// `p` and digits, as at the end of a URI representation.
    let key: String

    init(_ uri: URL) {
        entityName = uri.deletingLastPathComponent().lastPathComponent
        key = uri.lastPathComponent
    }

    /// Nil for anything but an entity name, a hyphen, `p` and up to 18 digits.
    init?(_ text: String) {
        guard let hyphen = text.lastIndex(of: "-"), text.utf8.count <= 200 else { return nil }
        let name = text[..<hyphen]
        let key = text[text.index(after: hyphen)...]
        let digits = key.dropFirst()
        guard key.first == "p", (1...18).contains(digits.count), digits.utf8.allSatisfy({ (48...57).contains($0) }),
            !name.isEmpty, name.unicodeScalars.allSatisfy({ $0 == "_" || CharacterSet.alphanumerics.contains($0) })
        else { return nil }
        entityName = String(name)
        self.key = String(key)
    }

    var text: String { "\(entityName)-\(key)" }

    func uri(storeUUID: String) -> URL? {
        URL(string: "x-coredata://\(storeUUID)")?.appendingPathComponent(entityName).appendingPathComponent(key)
    }
}
