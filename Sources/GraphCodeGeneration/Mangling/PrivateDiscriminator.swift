// Private declarations of two files may have one name; the compiler tells them apart by a digest of module and file.
// Called by TypeResolver and AccessorWriter.
import GraphArchives

/// The discriminator of a file's private declarations.
package enum PrivateDiscriminator {
    /// The text that stands before `LL` in the symbol of a private declaration.
    ///
    /// - Parameters:
    ///   - module: the module's name.
    ///   - fileName: the last component of the file's path, with its extension.
    /// - Returns: an underscore and 32 hexadecimal digits.
    package static func text(module: String, fileName: String) -> String {
        var digest = MD5()
        digest.update(Array(module.utf8))
        digest.update(Array(fileName.utf8))
        return "_"
            + digest.finish().map { byte in
                let text = String(byte, radix: 16, uppercase: true)
                return text.count == 1 ? "0" + text : text
            }.joined()
    }
}
