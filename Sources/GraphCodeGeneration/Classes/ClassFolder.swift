// Puts the files of a model's classes into a folder. Called by `managedgraph generate`. What the user may have written is
// not touched, and a file that would be the same keeps its date.
import Foundation
import GraphArchives

/// A folder of classes.
package struct ClassFolder {
    /// What has become of a file.
    package enum Action: String, Sendable {
        /// It is new.
        case written
        /// Its text was replaced.
        case renewed
        /// It has this text already.
        case unchanged
        /// The user's class stays as it is.
        case kept
    }

    /// A file and what has become of it.
    package struct Outcome: Sendable {
        package var file: XcodeFiles.File
        package var path: String
        package var action: Action
    }

    private let folder: URL
    private let replacesClasses: Bool
    private let isTrial: Bool
    /// The files of the folder that declare a class, by its name.
    private let declarations: [String: String]

    /// Looks at a folder.
    ///
    /// - Parameters:
    ///   - folder: where the files are to be; it may be missing.
    ///   - replacesClasses: whether class files are written anew too.
    ///   - isTrial: whether nothing is written.
    /// - Throws: errors of the file system, where the folder is there and cannot be read.
    package init(_ folder: URL, replacesClasses: Bool = false, isTrial: Bool = false) throws {
        self.folder = folder
        self.replacesClasses = replacesClasses
        self.isTrial = isTrial
        var declarations: [String: String] = [:]
        if FileManager.default.fileExists(atPath: folder.path) {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            for name in names.filter({ $0.hasSuffix(".swift") }).sorted() {
                let path = folder.appendingPathComponent(name).path
                guard let data = FileManager.default.contents(atPath: path) else { continue }
                let source = SourceReader.read(String(decoding: data, as: UTF8.self), file: path)
                for type in source.types where type.kind == .nominal(.class) { declarations[type.name] = path }
            }
        }
        self.declarations = declarations
    }

    /// Writes files.
    ///
    /// - Parameter files: what `XcodeFiles` has made.
    /// - Returns: what has become of each, in their order.
    /// - Throws: errors of the file system; files before it are written then.
    package func write(_ files: [XcodeFiles.File]) throws -> [Outcome] {
        try files.map { file in
            let path = folder.appendingPathComponent(file.name).path
            if file.isClass, !replacesClasses, let declared = declarations[file.className] {
                let isSame = FileManager.default.contents(atPath: declared) == Data(file.text.utf8)
                return Outcome(file: file, path: declared, action: isSame ? .unchanged : .kept)
            }
            let former = FileManager.default.contents(atPath: path)
            if former == Data(file.text.utf8) { return Outcome(file: file, path: path, action: .unchanged) }
            let isThere = FileManager.default.fileExists(atPath: path)
            if file.isClass, isThere, !replacesClasses { return Outcome(file: file, path: path, action: .kept) }
            if !isTrial { try FileReplacement.write(Data(file.text.utf8), to: path) }
            return Outcome(file: file, path: path, action: isThere ? .renewed : .written)
        }
    }
}
