// Reads the types of the modules that a target depends on: of their files only those that declare a name which the
// target's managed classes mention. Parsing is slow in the debug builds in which plugins run their tools.
import Foundation

/// Reads the files of dependencies that matter.
struct DependencyReader {
    private struct File {
        let source: TargetGenerator.SourceFile
        /// Nil if they cannot be found, so that the file is read.
        let declaredNames: Set<String>?
        var declarations: SourceDeclarations?
    }

    /// The names that may refer to types of dependencies.
    private var names: Set<String> = []

    /// Reads the types that a target may use.
    ///
    /// O(*n*) in the sources' length.
    ///
    /// - Parameters:
    ///   - declarations: The target's declarations.
    ///   - dependencies: The modules that it depends on.
    /// - Returns: The types of each module; those that no managed declaration can refer to may be missing.
    static func read(
        _ declarations: SourceDeclarations,
        _ dependencies: [TargetGenerator.Dependency]
    ) -> [SourceIndex] {
        var reader = DependencyReader()
        reader.addNames(of: declarations)
        var modules = dependencies.map { dependency in
            let files = dependency.sources.map { File(source: $0, declaredNames: names(in: $0.text)) }
            return (name: dependency.module, files: files)
        }
        // A type that was found may be an alias of another file's type, or have a superclass there.
        var isComplete = false
        while !isComplete {
            isComplete = true
            for module in modules.indices {
                for index in modules[module].files.indices {
                    let file = modules[module].files[index]
                    if file.declarations != nil { continue }
                    if let declared = file.declaredNames, reader.names.isDisjoint(with: declared) { continue }
                    let declarations = SourceReader.read(file.source.text, file: file.source.path)
                    modules[module].files[index].declarations = declarations
                    reader.addNames(of: declarations)
                    isComplete = false
                }
            }
        }
        return modules.map { module in
            SourceIndex(module: module.name, types: module.files.flatMap { $0.declarations?.types ?? [] })
        }
    }

    /// The names that follow the keywords of declarations; some others too.
    private static func names(in text: String) -> Set<String>? {
        guard let declaration else { return nil }
        let matches = declaration.matches(in: text, range: NSRange(text.startIndex..., in: text))
        let names = matches.compactMap { match in Range(match.range(at: 1), in: text).map { text[$0] } }
        return Set(names.flatMap { $0.split(separator: ".").map { $0.filter { $0 != "`" } } })
    }

    private static let declaration = try? NSRegularExpression(
        pattern: #"\b(?:actor|class|enum|extension|protocol|struct|typealias)\s+([^\s:{<=(,]+)"#
    )

    private mutating func addNames(of declarations: SourceDeclarations) {
        for type in declarations.types {
            for parent in type.inheritance { add(parent) }
            if case .alias(let target) = type.kind { add(target) }
        }
        for property in declarations.properties where property.isManaged { property.type.map { add($0) } }
        for method in declarations.methods where method.isManaged {
            for parameter in method.parameters { add(parameter.type) }
            method.result.map { add($0) }
        }
    }

    private mutating func add(_ type: TypeExpression) {
        switch type {
        case .named(let components):
            for component in components {
                names.insert(component.name)
                for argument in component.arguments { add(argument) }
            }
        case .optional(let wrapped), .array(let wrapped), .metatype(let wrapped):
            add(wrapped)
        case .dictionary(let key, let value):
            add(key)
            add(value)
        case .composition(let members):
            for member in members { add(member) }
        case .tuple(let elements):
            for element in elements { add(element.type) }
        case .unsupported:
            break
        }
    }
}
