// The stored form of an attribute whose values may be in external files. Written by engines; read when a cell becomes a
// value.
//
//   OFFSET  SIZE  DESCRIPTION
//   0       1     1: the value follows; 2: it is in a file
//   1       n     the value; or the file's name, 36 characters of ASCII
//   37      1     after a name: 0
import Foundation

/// Encodes values of attributes with external storage.
package enum LargeValue {
    private static let inlineMarker: UInt8 = 1
    private static let fileMarker: UInt8 = 2

    /// The stored form of a value without a file.
    package static func inline(_ data: Data) -> Data { Data([inlineMarker]) + data }

    /// The stored form of a value in a file.
    package static func reference(to name: String) -> Data { Data([fileMarker]) + Data(name.utf8) + Data([0]) }

    /// The name of the file in a stored value; nil if the value is inline.
    package static func name(in stored: Data) -> String? {
        guard stored.first == fileMarker else { return nil }
        let name = String(decoding: stored.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
        return UUID(uuidString: name) == nil ? nil : name
    }

    /// The inline data of a stored value.
    ///
    /// A value without a marker was written before its attribute allowed files.
    package static func inlineData(in stored: Data) -> Data {
        guard stored.first == inlineMarker else { return stored }
        return stored.dropFirst().withUnsafeBytes { Data($0) }
    }
}
