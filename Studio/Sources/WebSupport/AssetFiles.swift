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

    /// Reads all files of a folder and its subfolders whose content type is known.
    ///
    /// - Parameter folder: The folder.
    /// - Throws: An error if a file cannot be read.
    public init(folder: URL) throws {
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
        self.files = files
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
    ///   - isVersioned: Whether the address contains the fingerprint, so that a browser never needs to ask again.
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

    /// FNV-1a; not for security.
    private static func fingerprint(_ data: Data) -> String {
        String(data.reduce(14_695_981_039_346_656_037 as UInt64) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }, radix: 36)
    }
}
