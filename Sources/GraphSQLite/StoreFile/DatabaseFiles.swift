// Reading a database's files without SQLite, safely. The system drops all of a process's locks on a file when the
// process closes any descriptor of it; another process could then remove the log under an open connection. So the
// descriptor of a file that this process's connections have open is kept until the last of them is closed, and used for
// the next reads of the file. Used by code that reads the bytes of a database, its log or its index; connections register
// their files here.
import Foundation
import GraphArchives
import Synchronization

/// The database files open in this process.
package enum DatabaseFiles {
    private struct Entry {
        let file: FileIdentity
        var connections = 0
        /// Descriptors to close after the last connection; none is in use.
        var descriptors: [Int32] = []
    }

    /// The files with connections: few, and a dictionary of them would take long to make when a program starts.
    private static let entries = Mutex<[Entry]>([])

    /// Registers a connection; called before it takes a lock.
    static func begin(_ file: FileIdentity) {
        entries.withLock { entries in
            if let place = entries.firstIndex(where: { $0.file == file }) {
                entries[place].connections += 1
            } else {
                entries.append(Entry(file: file, connections: 1))
            }
        }
    }

    /// Unregisters a closed connection.
    static func end(_ file: FileIdentity) {
        entries.withLock { entries in
            guard let place = entries.firstIndex(where: { $0.file == file }) else { return }
            entries[place].connections -= 1
            guard entries[place].connections == 0 else { return }
            // Before a connection that is opened now takes its locks, which closing would drop.
            for descriptor in entries.remove(at: place).descriptors { close(descriptor) }
        }
    }

    /// Reads from a file of a database.
    ///
    /// - Parameters:
    ///   - path: The database, or a file beside it.
    ///   - database: The database.
    ///   - body: Must not close the descriptor.
    /// - Returns: The result of `body`; nil if the file cannot be opened.
    package static func reading<R>(_ path: String, of database: String, _ body: (FileHandle) throws -> R) rethrows -> R?
    {
        // A pipe in the place of a file would be waited for; the reads of files do not change.
        let descriptor = keptDescriptor(of: path, in: database) ?? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        let identity = FileIdentity(database)
        defer {
            entries.withLock { entries in
                guard let place = entries.firstIndex(where: { $0.file == identity }) else {
                    close(descriptor)
                    return
                }
                entries[place].descriptors.append(descriptor)
            }
        }
        return try body(FileHandle(fileDescriptor: descriptor, closeOnDealloc: false))
    }

    /// Takes a kept descriptor of the file at a path and moves it to the file's beginning; nil if there is none.
    ///
    /// Without reuse, each read of an open database would leave another descriptor.
    private static func keptDescriptor(of path: String, in database: String) -> Int32? {
        guard let file = FileIdentity(path), let identity = FileIdentity(database) else { return nil }
        return entries.withLock { entries in
            guard let place = entries.firstIndex(where: { $0.file == identity }),
                let index = entries[place].descriptors.firstIndex(where: {
                    FileIdentity(descriptor: $0) == file && lseek($0, 0, SEEK_SET) == 0
                })
            else { return nil }
            return entries[place].descriptors.remove(at: index)
        }
    }

    /// The first bytes of a file of a database; nil if it cannot be read.
    package static func head(_ path: String, of database: String? = nil, count: Int) -> Data? {
        reading(path, of: database ?? path) { try? $0.read(upToCount: count) ?? Data() } ?? nil
    }

    /// Copies a file of a database to a path that has no file.
    ///
    /// - Throws: Errors of reading or writing.
    package static func copy(_ path: String, of database: String, to copy: String) throws {
        let isDone: Void? = try reading(path, of: database) { source in
            guard FileManager.default.createFile(atPath: copy, contents: nil),
                let target = FileHandle(forWritingAtPath: copy)
            else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: copy]) }
            defer { try? target.close() }
            if copyInKernel(source.fileDescriptor, target.fileDescriptor) { return }
            while let portion = try source.read(upToCount: 1 << 20), !portion.isEmpty {
                try target.write(contentsOf: portion)
            }
        }
        if isDone == nil { throw CocoaError(.fileReadUnknown, userInfo: [NSFilePathErrorKey: path]) }
    }

    /// Copies the rest of a file within the kernel; false if the system cannot, and the caller must copy the remaining
    /// bytes.
    private static func copyInKernel(_ source: Int32, _ target: Int32) -> Bool {
        #if canImport(Glibc)
            while true {
                let count = sendfile(target, source, nil, 1 << 30)
                if count <= 0 { return count == 0 }
            }
        #else
            return false
        #endif
    }
}
