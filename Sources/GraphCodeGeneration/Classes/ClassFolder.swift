// Writes the files of a model's classes into a folder. Called by `managedgraph generate`. Classes that the user may
// have edited are preserved, and a file with unchanged text keeps its modification date.
import Foundation
import GraphArchives

/// A folder of class files.
package struct ClassFolder {
    /// The action taken for a file.
    package enum Action: String, Sendable {
        /// The file is new.
        case written
        /// The file's text was replaced.
        case renewed
        /// The file already has this text.
        case unchanged
        /// The user's class was preserved.
        case kept
    }

    /// A file and the action taken for it.
    package struct Outcome: Sendable {
        package var file: XcodeFiles.File
        package var path: String
        package var action: Action
    }

    private let folder: URL
    private let replacesClasses: Bool
    private let isTrial: Bool
    /// The paths of the folder's files that declare a class, by class name.
    private let declarations: [String: String]

    /// Reads the class declarations in a folder.
    ///
    /// - Parameters:
    ///   - folder: The destination of the files; it may be missing.
    ///   - replacesClasses: Whether class files are replaced too.
    ///   - isTrial: Whether to skip writing.
    /// - Throws: Errors of the file system, if the folder exists but cannot be read.
    package init(_ folder: URL, replacesClasses: Bool = false, isTrial: Bool = false) throws {
        self.folder = folder
        self.replacesClasses = replacesClasses
        self.isTrial = isTrial
        var declarations: [String: String] = [:]
        if try FilePlacement.isThere(folder.path) {
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
    /// - Parameter files: The files from `XcodeFiles`.
    /// - Returns: The outcome for each file, in the same order.
    /// - Throws: Errors of the file system; preceding files have then been written.
    package func write(_ files: [XcodeFiles.File]) throws -> [Outcome] {
        try files.map { file in
            let path = folder.appendingPathComponent(file.name).path
            if file.isClass, !replacesClasses, let declared = declarations[file.className] {
                let isSame = FileManager.default.contents(atPath: declared) == Data(file.text.utf8)
                return Outcome(file: file, path: declared, action: isSame ? .unchanged : .kept)
            }
            let former = FileManager.default.contents(atPath: path)
            if former == Data(file.text.utf8) { return Outcome(file: file, path: path, action: .unchanged) }
            let isThere = try FilePlacement.isThere(path)
            if file.isClass, isThere, !replacesClasses { return Outcome(file: file, path: path, action: .kept) }
            if !isTrial { try FileReplacement.write(Data(file.text.utf8), to: path) }
            return Outcome(file: file, path: path, action: isThere ? .renewed : .written)
        }
    }
}
