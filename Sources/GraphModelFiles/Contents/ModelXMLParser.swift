// Parses XML into ModelNode. Called by ModelFile and MappingReader. It does not use Foundation's parser, which traps on
// invalid UTF-8 and ignores errors.
import Foundation

/// Parses XML into a tree of elements.
enum ModelXMLParser {
    /// The reason why a text is not XML.
    struct Failure: Error {
        var message: String
    }

    /// The root element; includes the text inside elements if `keepsText` is true.
    static func parse(_ data: Data, keepsText: Bool = false) throws(Failure) -> ModelNode {
        do {
            return try ContentsParser.parse(utf8(data)).root.node(keepsText: keepsText)
        } catch {
            if data.starts(with: "version https://git-lfs".utf8) {
                throw Failure(
                    message: "this is a pointer of Git LFS in the place of the file. Fetch the file: git lfs pull."
                )
            }
            throw Failure(
                message:
                    "this is not XML: the parser stopped at line \(error.line). Correct the file, or save the model in "
                    + "Xcode again."
            )
        }
    }

    /// Converts the text to UTF-8 from the encoding declared in the file.
    private static func utf8(_ data: Data) -> [UInt8] {
        let start = data.prefix(120)
        if start.starts(with: [0xff, 0xfe]) || start.starts(with: [0xfe, 0xff]) {
            return String(data: data, encoding: .utf16).map { Array($0.utf8) } ?? [UInt8](data)
        }
        // Without Foundation's search, whose first use takes half as long as the parsing of a model.
        let declaration = start.map { 65...90 ~= $0 ? $0 | 32 : $0 }.prefix { $0 != UInt8(ascii: ">") }
        guard declaration.starts(with: "<?xml".utf8) else { return [UInt8](data) }
        let names: [(String, String.Encoding)] = [("iso-8859-1", .isoLatin1), ("windows-1252", .windowsCP1252)]
        for (name, encoding) in names
        where declaration.indices.contains(where: { declaration[$0...].starts(with: name.utf8) }) {
            if let xml = String(data: data, encoding: encoding) { return Array(xml.utf8) }
        }
        return [UInt8](data)
    }
}
