// The findings about dependencies that a package's manifest lacks. Created by PackageManifest, used by PortingFolder.
import Foundation

/// Products that the manifest does not mention yet.
struct MissingProducts {
    /// Keyed by the imported module.
    private(set) var products: [String: (product: String, package: String)]

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
