// Reads NSData without the cast of Foundation, which copies byte by byte off Apple: 60 ns each.
import Foundation

extension Data {
    /// The bytes of a value that is a `Data` or an `NSData`; nil for others.
    package init?(of value: Any) {
        guard type(of: value) is AnyClass else {
            guard let data = value as? Data else { return nil }
            self = data
            return
        }
        guard let object = value as? NSData else { return nil }
        self.init(copying: object)
    }

    /// The bytes of an object.
    package init(copying object: NSData) {
        self = object.length == 0 ? Data() : Data(bytes: object.bytes, count: object.length)
    }
}
