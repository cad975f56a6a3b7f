// Style sheets, scripts and pictures, read once at start. Created by the sample applications and the studio, each with a
// folder of its own.
import Foundation
import HTTPTypes
import Hummingbird

/// The static files of a site, in memory.
public struct AssetFiles: Sendable {
    /// One file.
    public struct File: Sendable {
        /// Its content.
        public var data: Data
        /// Its content type.
        public var type: String
        /// A text that changes with its content.
        public var fingerprint: String
    }

    private static let types = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
        "png": "image/png", "json": "application/json", "woff2": "font/woff2",
    ]

    private let files: [String: File]
    /// A text that changes with the content of any file.
    public let version: String

    /// Reads all files of a folder and its subfolders whose content type is known.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - bundles: Further files, each with the names of the files that it contains in this order. A page loads one bundle
    ///     in a fraction of the time of its parts.
    /// - Throws: An error if a file cannot be read.
    public init(folder: URL, bundles: [String: [String]] = [:]) throws {
        var files: [String: File] = [:]
        let base = folder.standardizedFileURL.path + "/"
        let entries = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        while let url = entries?.nextObject() as? URL {
            let path = url.standardizedFileURL.path
            guard path.hasPrefix(base), let type = Self.types[url.pathExtension] else { continue }
            let data = try Data(contentsOf: url)
            files[String(path.dropFirst(base.count))] = File(
                data: data,
                type: type,
                fingerprint: Self.fingerprint(data)
            )
        }
        for (name, parts) in bundles {
            let contents = try parts.map { part in
                guard let file = files[part] else {
                    throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: part])
                }
                return file
            }
            // Appended as blocks: a joined sequence is copied byte by byte.
            var data = contents[0].data
            for part in contents.dropFirst() { data += Data("\n".utf8) + part.data }
            files[name] = File(data: data, type: contents[0].type, fingerprint: Self.fingerprint(data))
        }
        self.files = files
        let fingerprints = files.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.fingerprint)\n" }
        version = Self.fingerprint(Data(fingerprints.joined().utf8))
    }

    /// Returns a file.
    ///
    /// - Parameter name: Its path below the folder.
    /// - Returns: The file, or nil if there is none.
    public func file(_ name: String) -> File? { files[name] }

    /// Returns the response to a request for a file.
    ///
    /// - Parameters:
    ///   - name: The file's path below the folder.
    ///   - isVersioned: Whether the address contains the fingerprint or the version, so that a browser never needs to ask
    ///     again.
    ///   - request: The request; a browser that has the file receives status 304.
    /// - Returns: The response, or nil if there is no such file.
    public func response(_ name: String, isVersioned: Bool, to request: Request) -> Response? {
        guard let file = files[name] else { return nil }
        var headers = HTTPFields()
        let tag = "\"\(file.fingerprint)\""
        headers[.contentType] = file.type
        headers[.eTag] = tag
        headers[.cacheControl] = isVersioned ? "public, max-age=31536000, immutable" : "no-cache"
        headers[.xContentTypeOptions] = "nosniff"
        if request.headers[.ifNoneMatch] == tag { return Response(status: .notModified, headers: headers) }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: file.data)))
    }

    /// In the manner of FNV-1a, but eight bytes at a time; not for security.
    private static func fingerprint(_ data: Data) -> String {
        var hash: UInt64 = 14_695_981_039_346_656_037
        func mix(_ word: UInt64) {
            hash = (hash ^ word) &* 1_099_511_628_211
            hash ^= hash >> 32
        }
        data.withUnsafeBytes { bytes in
            var offset = 0
            while offset + 8 <= bytes.count {
                mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
                offset += 8
            }
            for byte in bytes[offset...] { mix(UInt64(byte)) }
        }
        mix(UInt64(data.count))
        return String(hash, radix: 36)
    }
}
