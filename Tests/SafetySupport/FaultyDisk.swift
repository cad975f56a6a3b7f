// A disk that fails on demand: SQLite's standard file system, in which some calls on the files of watched folders fail.
// Used by the tests of I/O errors; files elsewhere are not affected.
import CSQLite
import Foundation
import Synchronization

/// SQLite's standard file system with failing calls.
package enum FaultyDisk {
    private struct Watch {
        var fault: Fault?
        var calls = 0
        var hits = 0
    }

    private struct State: Sendable {
        var watches: [String: Watch] = [:]
        /// The open files by address.
        var files: [UInt: OpenFile] = [:]
        /// The methods that may fail, by the address of the methods they replace.
        var failing: [UInt: UInt] = [:]
    }

    private struct OpenFile {
        var folder: String
        /// The address of the original methods.
        var methods: UInt
    }

    private static let state = Mutex(State())
    private static let isInstalled = Mutex(false)

    /// Sets the fault in a folder; nil lets all calls work.
    ///
    /// Resets the call counts.
    ///
    /// - Parameters:
    ///   - fault: The fault, or nil.
    ///   - folder: The path of a folder.
    package static func set(_ fault: Fault?, in folder: String) {
        install()
        state.withLock { $0.watches[folder] = Watch(fault: fault) }
    }

    /// The number of calls since the fault was set, and the number that failed.
    ///
    /// - Parameter folder: The path of a watched folder.
    /// - Returns: Both numbers.
    package static func calls(in folder: String) -> (all: Int, failed: Int) {
        state.withLock { ($0.watches[folder]?.calls ?? 0, $0.watches[folder]?.hits ?? 0) }
    }

    /// Stops watching a folder.
    ///
    /// - Parameter folder: The path of a watched folder.
    package static func forget(_ folder: String) {
        state.withLock { $0.watches[folder] = nil }
    }

    // MARK: Failing calls

    /// Counts a call on a file, and returns whether it is to fail.
    fileprivate static func fails(_ file: File?, writes: Bool) -> Bool {
        state.withLock { state in
            guard let open = state.files[UInt(bitPattern: file)] else { return false }
            return fails(open.folder, writes, &state)
        }
    }

    /// Counts a call with a path, and returns whether it is to fail.
    fileprivate static func fails(path: String, writes: Bool) -> Bool {
        state.withLock { state in
            guard let folder = folder(of: path, state) else { return false }
            return fails(folder, writes, &state)
        }
    }

    private static func fails(_ folder: String, _ writes: Bool, _ state: inout State) -> Bool {
        guard var watch = state.watches[folder] else { return false }
        if watch.fault?.kind != .full || writes { watch.calls += 1 }
        let isHit =
            switch watch.fault?.kind {
            case .once: watch.calls == watch.fault?.call
            case .forever: watch.calls >= watch.fault?.call ?? .max
            case .full: writes && watch.calls >= watch.fault?.call ?? .max
            case nil: false
            }
        if isHit { watch.hits += 1 }
        state.watches[folder] = watch
        return isHit
    }

    fileprivate static func isFull(_ file: File?) -> Bool {
        state.withLock { state in
            state.files[UInt(bitPattern: file)].flatMap { state.watches[$0.folder]?.fault?.kind } == .full
        }
    }

    private static func folder(of path: String, _ state: State) -> String? {
        state.watches.keys.first { path.hasPrefix($0 + "/") }
    }

    /// Replaces the methods of a file in a watched folder by those that may fail.
    fileprivate static func opened(_ file: File, _ path: String) {
        state.withLock { state in
            guard let folder = folder(of: path, state), let methods = file.pointee.pMethods else { return }
            let address = UInt(bitPattern: methods)
            let own = state.failing[address] ?? UInt(bitPattern: failing(methods))
            state.failing[address] = own
            state.files[UInt(bitPattern: file)] = OpenFile(folder: folder, methods: address)
            file.pointee.pMethods = Methods(bitPattern: own)
        }
    }

    fileprivate static func usualMethods(_ file: File?) -> sqlite3_io_methods {
        let address = state.withLock { $0.files[UInt(bitPattern: file)]?.methods ?? 0 }
        return Methods(bitPattern: address)?.pointee ?? sqlite3_io_methods()
    }

    fileprivate static func closed(_ file: File?) {
        state.withLock { $0.files[UInt(bitPattern: file)] = nil }
    }

    // MARK: Installing

    /// Registers the failing file system, once per process.
    private static func install() {
        isInstalled.withLock { isInstalled in
            guard !isInstalled, let usual = usualSystem else { return }
            isInstalled = true
            let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
            own.initialize(to: usual.pointee)
            own.pointee.pNext = nil
            own.pointee.zName = UnsafePointer(strdup("faulty"))
            own.pointee.xOpen = open
            own.pointee.xDelete = delete
            sqlite3_vfs_register(own, 1)
        }
    }
}

// Set once, before the first call, and only read afterwards.
nonisolated(unsafe) private let usualSystem = sqlite3_vfs_find("unix")

fileprivate typealias File = UnsafeMutablePointer<sqlite3_file>
private typealias Methods = UnsafePointer<sqlite3_io_methods>

/// The original methods of a file.
private func usual(_ file: File?) -> sqlite3_io_methods { FaultyDisk.usualMethods(file) }

/// A copy of the methods in which some may fail.
private func failing(_ methods: Methods) -> Methods {
    let own = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    own.initialize(to: methods.pointee)
    own.pointee.xClose = { file in
        let close = usual(file).xClose
        FaultyDisk.closed(file)
        return close?(file) ?? SQLITE_OK
    }
    own.pointee.xRead = { file, buffer, count, offset in
        if FaultyDisk.fails(file, writes: false) { return FailureCode.read }
        return usual(file).xRead(file, buffer, count, offset)
    }
    own.pointee.xWrite = { file, buffer, count, offset in
        if FaultyDisk.fails(file, writes: true) {
            return FaultyDisk.isFull(file) ? SQLITE_FULL : FailureCode.write
        }
        return usual(file).xWrite(file, buffer, count, offset)
    }
    own.pointee.xTruncate = { file, size in
        if FaultyDisk.fails(file, writes: false) { return FailureCode.truncate }
        return usual(file).xTruncate(file, size)
    }
    own.pointee.xSync = { file, flags in
        if FaultyDisk.fails(file, writes: false) { return FailureCode.fsync }
        return usual(file).xSync(file, flags)
    }
    own.pointee.xFileSize = { file, size in
        if FaultyDisk.fails(file, writes: false) { return FailureCode.fstat }
        return usual(file).xFileSize(file, size)
    }
    // Disables memory mapping, so that every read uses xRead and can fail.
    own.pointee.xFetch = { _, _, _, result in
        result?.pointee = nil
        return SQLITE_OK
    }
    if methods.pointee.xShmMap != nil {
        own.pointee.xShmMap = { file, page, size, isNew, result in
            if FaultyDisk.fails(file, writes: true) { return FailureCode.shmMap }
            return usual(file).xShmMap(file, page, size, isNew, result)
        }
    }
    return UnsafePointer(own)
}

private func open(
    _ system: UnsafeMutablePointer<sqlite3_vfs>?,
    _ name: sqlite3_filename?,
    _ file: File?,
    _ flags: Int32,
    _ result: UnsafeMutablePointer<Int32>?
) -> Int32 {
    guard let usual = usualSystem else { return SQLITE_ERROR }
    let path = name.map { String(cString: $0) } ?? ""
    if FaultyDisk.fails(path: path, writes: false) {
        file?.pointee.pMethods = nil
        return SQLITE_CANTOPEN
    }
    let code = usual.pointee.xOpen(usual, name, file, flags, result)
    if code == SQLITE_OK, let file { FaultyDisk.opened(file, path) }
    return code
}

private func delete(_ system: UnsafeMutablePointer<sqlite3_vfs>?, _ name: UnsafePointer<CChar>?, _ syncs: Int32)
    -> Int32
{
    guard let usual = usualSystem else { return SQLITE_ERROR }
    if let name, FaultyDisk.fails(path: String(cString: name), writes: false) { return FailureCode.delete }
    return usual.pointee.xDelete(usual, name, syncs)
}
