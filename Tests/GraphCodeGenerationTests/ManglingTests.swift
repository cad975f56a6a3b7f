// Compares our mangled names with the compiler's for the same source.
import Foundation
import GraphCodeGeneration
import Testing

@Suite("Mangled names")
struct ManglingTests {
    /// The symbols of all computed properties and methods of a source, as we mangle them.
    private func symbols(
        of text: String,
        module: String,
        file: String
    ) throws -> [(declaration: String, symbol: String)] {
        let declarations = SourceReader.read(text, file: file)
        let index = SourceIndex(module: module, types: declarations.types)
        let mangler = DeclarationMangler(index: index)
        var result: [(String, String)] = []
        for property in declarations.properties where property.isComputed && !property.isStatic {
            let (getter, setter, _) = try mangler.accessors(of: property)
            let name = (property.context.enclosing + [property.name]).joined(separator: ".")
            result.append(("\(name) get", getter))
            result.append(("\(name) set", setter))
        }
        for method in declarations.methods where !method.isStatic {
            let name = (method.context.enclosing + [method.name]).joined(separator: ".")
            result.append((name, try mangler.symbol(of: method)))
        }
        return result
    }

    private func check(_ text: String, module: String, file: String) throws {
        let compiler = try Compiler()
        try compiler.write(text, to: file)
        let output = try compiler.run(
            "swiftc",
            "-swift-version",
            "6",
            "-parse-as-library",
            "-module-name",
            module,
            "-Xfrontend",
            "-enable-private-imports",
            "-enable-testing",
            "-c",
            file,
            "-o",
            "out.o"
        )
        try #require(output.status == 0, "\(output.text)")
        let expected = try compiler.symbols(of: "out.o")
        let ours = try symbols(of: text, module: module, file: file)
        #expect(!ours.isEmpty)
        for (declaration, symbol) in ours {
            let isKnown = expected.contains(symbol)
            #expect(isKnown, "\(declaration): \(symbol)")
        }
    }

    @Test("A broad table of declarations is mangled as by the compiler")
    func table() throws {
        try check(ManglingSamples.table, module: "Tasks", file: "Task.swift")
    }

    @Test("Every type in the tables has the compiler's symbol")
    func knownTypes() throws {
        try check(ManglingSamples.knownTypes, module: "Known", file: "Known Types+All.swift")
    }

    @Test("Names that are equal, private, long or not ASCII are mangled as by the compiler")
    func oddNames() throws {
        try check(ManglingSamples.oddNames, module: "Odd", file: "Odd.swift")
    }
}
