// The dependencies of the surrounding package that ported code needs, read from the text of its manifest. Used by
// PortingFolder.
import Foundation

/// A package's manifest.
struct PackageManifest {
    private let text: String
    /// The package's folder.
    private let folder: String
    /// The folders of targets that are not in their usual places, relative to the package's; the longest first.
    private let targetFolders: [String]

    /// Reads the manifest in a folder or one of its parents.
    init(around path: String) {
        var folder = URL(fileURLWithPath: path).standardizedFileURL
        var contents: Data?
        var packageFolder = folder
        // A target is in Sources/Name, or in a folder inside that.
        for _ in 0..<4 where contents == nil && folder.path != "/" {
            contents = FileManager.default.contents(atPath: folder.appendingPathComponent("Package.swift").path)
            packageFolder = folder
            folder.deleteLastPathComponent()
        }
        text = contents.map { String(decoding: $0, as: UTF8.self) } ?? ""
        self.folder = packageFolder.path
        targetFolders = Self.folders(in: text)
    }

    /// The values of the arguments `path:` that lead to folders inside the package.
    private static func folders(in text: String) -> [String] {
        let paths = text.components(separatedBy: "path:").dropFirst().compactMap { rest -> String? in
            let value = rest.drop { $0.isWhitespace }
            guard value.first == "\"", let end = value.dropFirst().firstIndex(of: "\"") else { return nil }
            let parts = value[..<end].dropFirst().split(separator: "/").filter { $0 != "." }
            guard !parts.isEmpty, value.dropFirst().first != "/", !parts.contains("..") else { return nil }
            return parts.joined(separator: "/")
        }
        return paths.sorted { $0.count > $1.count }
    }

    /// The folder of the target that has a file, if the manifest names it; nil for a target in its usual place.
    func targetFolder(of file: String) -> String? {
        let path = URL(fileURLWithPath: file).standardizedFileURL.path
        return targetFolders.first { path.hasPrefix("\(folder)/\($0)/") }
    }

    /// Whether the manifest mentions a package or product.
    func names(_ name: String) -> Bool { text.contains("\"\(name)") || text.contains("/\(name)") }

    /// The products that ported code needs and the manifest does not mention, each reported once.
    var missingProducts: MissingProducts {
        MissingProducts(products: ShimModules.products.filter { !names($0.value.product) })
    }
}
