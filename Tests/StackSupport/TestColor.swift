// A color as the value of a transformable attribute.
import Foundation
import GraphSQL
import ManagedGraph
import Testing

/// A color with custom coding.
final class TestColor: NSObject, NSSecureCoding {
    static let supportsSecureCoding = true
    let names: [String]

    init(_ names: String...) { self.names = names }

    init?(coder: NSCoder) {
        names = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: "names") as? [String] ?? []
    }

    func encode(with coder: NSCoder) { coder.encode(names as NSArray, forKey: "names") }

    override func isEqual(_ object: Any?) -> Bool { (object as? TestColor)?.names == names }
    override var hash: Int { names.hashValue }
}
