// Filled files, created on first use and kept for the whole run; child processes find them in the same folder. Used
// through Setting.
import Foundation

/// The filled files of a run.
final class Fixtures {
    private let folder: URL
    private var scratchFiles = 0
    private var inputs: [Int: [InputRow]] = [:]

    init(folder: URL) { self.folder = folder }

    func entries(_ rows: Int) -> [InputRow] {
        if let input = inputs[rows] { return input }
        let input = InputRow.make(count: rows)
        // A run has one size at a time.
        inputs = [rows: input]
        return input
    }

    /// The path of a file that holds the rows.
    func file(_ dataset: Dataset, _ rows: Int, isManaged: Bool) throws -> URL {
        let kind = isManaged ? "managed" : "plain"
        let file = folder.appendingPathComponent("\(kind)-\(dataset.rawValue)-\(rows).sqlite")
        if FileManager.default.fileExists(atPath: file.path) { return file }
        let unfinished = scratchFile()
        if isManaged {
            try ManagedFiller.fill(unfinished, dataset, rows)
        } else {
            try PlainFiller.fill(unfinished, dataset, rows)
        }
        try FileManager.default.moveItem(at: unfinished, to: file)
        return file
    }

    /// A path without a file.
    func scratchFile() -> URL {
        scratchFiles += 1
        let process = ProcessInfo.processInfo.processIdentifier
        return folder.appendingPathComponent("scratch-\(process)-\(scratchFiles).sqlite")
    }

    /// Removes a file and SQLite's files next to it.
    static func remove(_ file: URL) throws {
        for ending in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: file.path + ending) {
            try FileManager.default.removeItem(atPath: file.path + ending)
        }
    }
}
