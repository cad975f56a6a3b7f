// `autoreleasepool { … }` does not exist on other platforms: a file that uses it gets a function of this name, which
// just runs the closure.
import SwiftSyntax

enum AutoreleasePoolRule: PortingRule {
    static let name = "autoreleasepool"

    static func run(on files: [PortingFile], index: CodeIndex) {
        for file in files {
            guard let use = NameReader.first(of: ["autoreleasepool"], in: file), !declares(file) else { continue }
            let lines = [
                "", "#if !canImport(ObjectiveC)",
                "/// Off Apple there are no autorelease pools: the work is just done.",
                "private func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {",
                "    try body()", "}", "#endif", "",
            ]
            file.report(
                name,
                at: use,
                "autoreleasepool is there with the Objective-C runtime only",
                "The file has a function of this name for other platforms now.",
                edits: [file.appending(lines)]
            )
        }
    }

    /// Whether a file already has such a function.
    private static func declares(_ file: PortingFile) -> Bool {
        FunctionSearch.finds("autoreleasepool", in: file.tree)
    }
}
