// The dependencies of the surrounding package that ported code needs, read from the text of its manifest. Used by
// PortingFolder.
import Foundation

/// A package's manifest.
struct PackageManifest {
    private let text: String

    /// Reads the manifest in a folder or one of its parents.
    init(around path: String) {
        var folder = URL(fileURLWithPath: path).standardizedFileURL
        var contents: Data?
        // A target is in Sources/Name, or in a folder inside that.
        for _ in 0..<4 where contents == nil && folder.path != "/" {
            contents = FileManager.default.contents(atPath: folder.appendingPathComponent("Package.swift").path)
            folder.deleteLastPathComponent()
        }
        text = contents.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Whether the manifest mentions a package or product.
    func names(_ name: String) -> Bool { text.contains("\"\(name)") || text.contains("/\(name)") }

    /// The products that ported code needs and the manifest does not mention, each reported once.
    var missingProducts: MissingProducts {
        MissingProducts(products: ShimModules.products.filter { !names($0.value.product) })
    }
}

/// Products that the manifest does not mention yet.
struct MissingProducts {
    /// Keyed by the imported module.
    fileprivate(set) var products: [String: (product: String, package: String)]

    /// Reports the products whose modules a file imports, unless already reported for another file.
    mutating func findings(in file: Porter.Ported) -> [Finding] {
        var result: [Finding] = []
        let lines = file.after.split(separator: "\n", omittingEmptySubsequences: false)
        for line in lines {
            let words = line.split(separator: " ").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
            guard words.count == 2, words[0] == "import", let missing = products[words[1]] else { continue }
            products = products.filter { $0.value.product != missing.product }
            result.append(
                Finding(
                    file: file.path,
                    line: 1,
                    column: 1,
                    rule: "dependency",
                    message: "\(words[1]) is imported off Apple, and the package does not name it",
                    remedy:
                        "Add .product(name: \"\(missing.product)\", package: \"\(missing.package)\") to the target's "
                        + "dependencies in Package.swift.",
                    isFixed: false
                )
            )
        }
        return result
    }
}
