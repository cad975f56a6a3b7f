// Drafts that ended processes have left: a draft is removed by its process, unless that is killed or the power fails.
// Called when a new draft of the same file is made, when a store is opened for writing, and by migrations.
import Foundation

extension FilePlacement {
    /// The seconds after which a draft that nothing has changed belongs to no running process.
    private static let lifetime: TimeInterval = 24 * 60 * 60
    private static let endings =
        [".new", ".new-wal", ".new-shm", ".new-journal", ".new.old"] + FolderUse.allCases.map(\.ending)

    /// The work for which a folder is created next to a file.
    package enum FolderUse: String, CaseIterable {
        case migration
        case `import`

        fileprivate var ending: String { ".\(rawValue)" }
    }

    /// Removes drafts of a file or folder that nothing has changed for a day, and second names of the file itself, which a
    /// draft keeps if its name could not be removed after it was put in place.
    ///
    /// Failures are ignored: the drafts are harmless, and the next call finds them again. O(names in the folder).
    ///
    /// - Parameter target: The path of the file or folder, not of a draft.
    package static func removeAbandonedDrafts(of target: String) { removeDrafts(of: target, all: nil) }

    /// Creates a folder next to a file, on the same volume, for work that replaces the file at its end.
    ///
    /// Removes folders of killed processes, and other abandoned drafts of the file. O(names in the folder).
    ///
    /// - Parameters:
    ///   - use: The work.
    ///   - target: The path of the file.
    ///   - isLocked: Whether the caller's lock on the file keeps others from this work: each folder for it is then
    ///     abandoned, however new it is.
    /// - Returns: The folder, which the caller removes.
    /// - Throws: `CocoaError` if the folder cannot be created.
    package static func makeFolder(for use: FolderUse, of target: String, isLocked: Bool = false) throws -> URL {
        removeDrafts(of: target, all: isLocked ? use : nil)
        let folder = URL(filePath: draftPath(of: target, ending: use.ending), directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        return folder
    }

    /// Removes the abandoned drafts of a target, and all folders for a use, if there is one.
    private static func removeDrafts(of target: String, all use: FolderUse?) {
        let path = target as NSString
        let parent = path.deletingLastPathComponent.isEmpty ? "." : path.deletingLastPathComponent
        let stem = draftStem(of: path.lastPathComponent)
        lazy var targetAttributes = attributes(target)
        for leftover in names(in: parent) where isDraft(leftover, of: stem) {
            let draft = (parent as NSString).appendingPathComponent(leftover)
            guard let attributes = attributes(draft),
                use.map({ leftover.hasSuffix($0.ending) }) == true || isSameFile(attributes, targetAttributes)
                    || age(attributes) > lifetime
            else { continue }
            // A draft that cannot be removed is found again by the next call.
            try? FileManager.default.removeItem(atPath: draft)
        }
    }

    /// Whether a name is the stem of a target's drafts with a UUID and the ending of a draft.
    private static func isDraft(_ fileName: String, of stem: String) -> Bool {
        guard let prefix = [".\(stem)-", "\(stem)-"].first(where: fileName.hasPrefix),
            let ending = endings.first(where: fileName.hasSuffix)
        else { return false }
        return UUID(uuidString: String(fileName.dropFirst(prefix.count).dropLast(ending.count))) != nil
    }

    /// The names in a folder; empty for one that cannot be listed.
    ///
    /// Every opening of a store lists its folder: Foundation's list costs ten times as much in a new process.
    private static func names(in folder: String) -> [String] {
        #if os(Windows)
            return (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        #else
            guard let stream = opendir(folder) else { return [] }
            defer { closedir(stream) }
            var names: [String] = []
            while let entry = readdir(stream) {
                withUnsafeBytes(of: entry.pointee.d_name) {
                    names.append(String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self))
                }
            }
            return names
        #endif
    }

    private static func attributes(_ path: String) -> [FileAttributeKey: Any]? {
        try? FileManager.default.attributesOfItem(atPath: path)
    }

    private static func isSameFile(_ first: [FileAttributeKey: Any], _ second: [FileAttributeKey: Any]?) -> Bool {
        guard let number = first[.systemFileNumber] as? Int, let volume = first[.systemNumber] as? Int else {
            return false
        }
        return number == second?[.systemFileNumber] as? Int && volume == second?[.systemNumber] as? Int
    }

    /// The seconds since the file was changed.
    private static func age(_ attributes: [FileAttributeKey: Any]) -> TimeInterval {
        (attributes[.modificationDate] as? Date).map { -$0.timeIntervalSinceNow } ?? 0
    }
}
