// Private declarations in two files may have the same name; the compiler distinguishes them by a digest of module and
// file. Used by SourceIndex and DeclarationMangler.
import GraphArchives

/// The discriminator of a file's private declarations.
package enum PrivateDiscriminator {
    /// The text before `LL` in the symbol of a private declaration.
    ///
    /// - Parameters:
    ///   - module: The module's name.
    ///   - fileName: The last component of the file's path, with its extension.
    /// - Returns: An underscore and 32 hexadecimal digits.
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
