// Code that uses Apple-only frameworks: views, members that only display something, and statements that only call the
// missing framework are wrapped in `#if canImport(…)`. Code that has other effects too is kept and reported. Runs
// first, so that the other rules can skip code that is left out.
import SwiftSyntax

enum AppleOnlyRule: PortingRule {
    static let name = "apple-only"

    static func run(on files: [PortingFile], index: CodeIndex) {
        var names = LeftOutNames()
        for file in files {
            let imported = AppleFrameworks.closure(ImportRule.modules(of: file))
            var pass = AppleOnlyPass(file: file, index: index, imported: imported)
            pass.run()
            names.merge(pass.names)
        }
        for file in files { names.reportUses(in: file, index: index) }
    }
}
