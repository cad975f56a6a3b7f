// What tells one content of a database file from another without opening it: read by caches that are kept beside a store.
// Reads the files only; takes no lock.
import Foundation

/// The state of a database's files at one moment.
///
/// Two equal states that were taken of one file stand for the same content. Of the file itself:
///
/// | bytes | content |
/// | --- | --- |
/// | 24, 4 bytes | change counter, big-endian |
/// | 28, 4 bytes | size in pages, big-endian |
///
/// and of the index of its log (`-shm`), whose header of 48 bytes stands there twice, in the machine's byte order:
///
/// | offset | size | content |
/// | --- | --- | --- |
/// | 8 | 4 | counts transactions |
/// | 16 | 4 | last frame that is valid |
/// | 24 | 8 | checksum of all frames up to it |
/// | 32 | 8 | salt, another for each beginning of the log |
package struct ContentState: Equatable {
    /// The state as bytes.
    package let bytes: Data

    /// Takes the state of a file; nil where there is no such file, or where it is being written right now.
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
            // A log that was taken over into the file, with nothing new in it, is as good as none.
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
