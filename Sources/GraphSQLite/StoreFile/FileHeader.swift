// The first bytes of a file: is it an SQLite database, and if not, what is it? Called by StoreFile.inspect.
//
// | offset | size | what (big-endian) |
// | --- | --- | --- |
// | 0 | 16 | "SQLite format 3" and NUL |
// | 16 | 2 | page size: a power of two from 512, or 1 for 65,536 |
// | 18, 19 | 1 each | write and read version: 1 journal, 2 WAL |
// | 21, 22, 23 | 1 each | always 64, 32, 32 |
// | 24 | 4 | change counter |
// | 28 | 4 | pages, valid where 92 equals 24 |
// | 92 | 4 | change counter for which 28 holds |
import Foundation

/// What the beginning of a file says.
struct FileHeader {
    static let size = 100
    private static let magic = Array("SQLite format 3\u{0}".utf8)
    let bytes: [UInt8]

    /// The signature is there.
    var isDatabase: Bool { bytes.starts(with: FileHeader.magic) }

    /// The signature is not there but for some bytes, or is not while all that follows it is as in a database.
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

    /// The number of pages, or nil where an old writer left it unset.
    var pageCount: Int? {
        guard bytes.count >= FileHeader.size else { return nil }
        let count = word(28)
        return count > 0 && word(24) == word(92) ? count : nil
    }

    private func word(_ offset: Int) -> Int {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    /// What a file that is no database is, in words.
    var kind: String {
        let known: [([UInt8], String)] = [
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
        ]
        for (signature, name) in known where bytes.starts(with: signature) {
            return name
        }
        let isText = bytes.allSatisfy { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        return isText ? "a text file" : "a file of another kind"
    }
}
