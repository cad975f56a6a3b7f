// An object whose class names its key paths.
import Foundation
import GraphPredicates
import Testing

/// A class that names its key paths.
final class Named: KeyPathNaming, KeyValueReadable {
    var title: String?
    var rank: Int
    init(_ title: String?, _ rank: Int) {
        self.title = title
        self.rank = rank
    }
    static func managedKey(for keyPath: AnyKeyPath) -> String? {
        keyPath == \Named.title ? "title" : keyPath == \Named.rank ? "rank" : nil
    }
    func value(forKey key: String) -> Any? { key == "title" ? title : key == "rank" ? rank : nil }
}
