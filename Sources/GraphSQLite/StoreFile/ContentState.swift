// Identifies the content of a database file without opening the database. Used by caches stored beside a store. Only
// reads the files; takes no lock.
import Foundation

/// The state of a database's files at one moment.
///
/// If two states of the same file are equal, its content is the same. The state includes these bytes of the file:
///
/// | bytes | content |
/// | --- | --- |
/// | 24, 4 bytes | change counter, big-endian |
/// | 28, 4 bytes | size in pages, big-endian |
///
/// and these of its log's index (`-shm`), which holds two copies of a 48-byte header in native byte order:
///
/// | offset | size | content |
/// | --- | --- | --- |
/// | 8 | 4 | transaction counter |
/// | 16 | 4 | last valid frame |
/// | 24 | 8 | checksum of all frames up to it |
/// | 32 | 8 | salt, new each time the log restarts |
package struct ContentState: Equatable {
    /// The state's encoding.
    package let bytes: Data

    /// Reads the state of a file; nil if there is no such file, or if it is being written.
    ///
    /// - Parameter path: The database file.
    package init?(path: String) {
        guard let header = Self.bytes(of: path, in: path, count: 100), header.count == 100,
            let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let modified = attributes[.modificationDate] as? Date, let size = attributes[.size] as? NSNumber
        else { return nil }
        var state = Data(header[24..<32])
        Self.append(modified.timeIntervalSinceReferenceDate.bitPattern, to: &state)
        Self.append(size.uint64Value, to: &state)
        let logSize = (try? FileManager.default.attributesOfItem(atPath: path + "-wal"))?[.size] as? NSNumber
        if let logSize, logSize.intValue > 0 {
            guard let index = Self.bytes(of: path + "-shm", in: path, count: 96), index.count == 96,
                index[0..<48] == index[48..<96]
            else { return nil }
            // A fully checkpointed log without new frames counts as no log.
            let frames = index[16..<20]
            if frames.contains(where: { $0 != 0 }) { state.append(index[8..<40]) }
        }
        bytes = state
    }

    private static func bytes(of path: String, in database: String, count: Int) -> Data? {
        DatabaseFiles.head(path, of: database, count: count).map { Data($0) }
    }

    private static func append(_ number: UInt64, to data: inout Data) {
        withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
    }
}
