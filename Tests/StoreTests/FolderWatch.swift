// Watches the files of FileProtectionTests.
import Foundation
import Synchronization

/// Polls a folder for files that other users can read.
final class FolderWatch: Sendable {
    private struct State {
        var isStopped = false
        var readableFiles: Set<String> = []
    }

    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)

    init(_ folder: URL) {
        Thread.detachNewThread { [self] in
            while !state.withLock(\.isStopped) {
                for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
                    var status = stat()
                    guard stat(folder.appending(path: name).path, &status) == 0 else { continue }
                    if status.st_mode & 0o077 != 0, status.st_mode & S_IFMT != S_IFDIR {
                        state.withLock { _ = $0.readableFiles.insert(name) }
                    }
                }
            }
            ended.signal()
        }
    }

    /// The files that other users could read at any time.
    func stop() -> [String] {
        state.withLock { $0.isStopped = true }
        ended.wait()
        return state.withLock { $0.readableFiles.sorted() }
    }
}
