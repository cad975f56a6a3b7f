// What a row holds of an attribute whose values may stand in files of their own. Written by engines; read where a cell becomes a
// value.
//
//   OFFSET  SIZE  DESCRIPTION
//   0       1     1: the value follows; 2: a file holds it
//   1       n     the value; or the file's name, 36 characters of ASCII
//   37      1     behind a name: 0
import Foundation

/// The form of values of attributes with external storage.
package enum LargeValue {
    private static let inlineMarker: UInt8 = 1
    private static let fileMarker: UInt8 = 2

    /// What a row holds for a value that gets no file.
    package static func inline(_ data: Data) -> Data { Data([inlineMarker]) + data }

    /// What a row holds for a value in a file.
    package static func reference(to name: String) -> Data { Data([fileMarker]) + Data(name.utf8) + Data([0]) }

    /// The name of the file in a row's value; nil where the data are in the row.
    package static func name(in stored: Data) -> String? {
        guard stored.first == fileMarker else { return nil }
        let name = String(decoding: stored.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
        return UUID(uuidString: name) == nil ? nil : name
    }

    /// The data in a row's value.
    ///
    /// A value without a marker was written before its attribute allowed files.
    package static func inlineData(in stored: Data) -> Data {
        guard stored.first == inlineMarker else { return stored }
        return stored.dropFirst().withUnsafeBytes { Data($0) }
    }
}
