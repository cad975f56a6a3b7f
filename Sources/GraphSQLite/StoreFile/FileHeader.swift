// Identifies SQLite databases and other kinds of file by their first bytes. Called by StoreFile.inspect.
//
// | offset | size | content (big-endian) |
// | --- | --- | --- |
// | 0 | 16 | "SQLite format 3" and NUL |
// | 16 | 2 | page size: a power of two from 512, or 1 for 65,536 |
// | 18, 19 | 1 each | write and read version: 1 journal, 2 WAL |
// | 21, 22, 23 | 1 each | always 64, 32, 32 |
// | 24 | 4 | change counter |
// | 28 | 4 | pages, valid if 92 equals 24 |
// | 92 | 4 | change counter for which 28 is valid |
import Foundation

/// The beginning of a file.
struct FileHeader {
    static let size = 100
    private static let magic = Array("SQLite format 3\u{0}".utf8)
    let bytes: [UInt8]

    /// Whether the signature is present.
    var isDatabase: Bool { bytes.starts(with: FileHeader.magic) }

    /// Whether most of the signature matches, or the signature is missing but the fields after it are valid.
    var looksLikeDamagedDatabase: Bool {
        guard !isDatabase, bytes.count >= 24 else { return false }
        let same = zip(bytes, FileHeader.magic).filter { $0 == $1 }.count
        return same >= 12 || (hasValidPageSize && hasValidConstants)
    }

    var hasValidPageSize: Bool {
        let size = pageSize
        return size >= 512 && size <= 65_536 && size & (size - 1) == 0
    }

    var hasValidConstants: Bool {
        bytes.count >= 24 && bytes[21] == 64 && bytes[22] == 32 && bytes[23] == 32 && (1...2).contains(bytes[18])
            && (1...2).contains(bytes[19])
    }

    var pageSize: Int {
        guard bytes.count >= 18 else { return 0 }
        let size = Int(bytes[16]) << 8 | Int(bytes[17])
        return size == 1 ? 65_536 : size
    }

    /// The number of pages, or nil if an old writer left it unset.
    var pageCount: Int? {
        guard bytes.count >= FileHeader.size else { return nil }
        let count = word(28)
        return count > 0 && word(24) == word(92) ? count : nil
    }

    private func word(_ offset: Int) -> Int {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    /// A description of a file that is not a database.
    var kind: String {
        let signatures: [([UInt8], String)] = [
            (Array("CoreData".utf8), "a binary Core Data store; add it with the store type Binary"),
            (Array("SQLite 2".utf8), "a database of SQLite 2"),
            ([0x89, 0x50, 0x4E, 0x47], "a PNG image"),
            ([0xFF, 0xD8, 0xFF], "a JPEG image"),
            (Array("GIF8".utf8), "a GIF image"),
            (Array("%PDF".utf8), "a PDF document"),
            ([0x50, 0x4B, 0x03, 0x04], "a ZIP archive"),
            ([0x1F, 0x8B], "a gzip archive"),
            ([0x7F, 0x45, 0x4C, 0x46], "a program"),
            (Array("bplist".utf8), "a property list"),
            (Array("<?xml".utf8), "an XML file"),
            (Array("version https://git-lfs".utf8), "a pointer of Git LFS (git lfs pull fetches the file)"),
        ]
        for (signature, name) in signatures where bytes.starts(with: signature) {
            return name
        }
        let isText = bytes.allSatisfy { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        return isText ? "a text file" : "a file of another kind"
    }
}
