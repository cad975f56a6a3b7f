// Generates the files of one target from its models and sources. Called by the generate-managed-objects command and by
// tests. Reads and writes no files.
import GraphModel
import GraphModelFiles
import GraphSQL

/// Generates the files of one target.
package struct TargetGenerator: Sendable {
    /// The names of the generated files; all of them are always written.
    package static let fileNames = [
        "ManagedAccessors.swift", "ManagedGraphAliases.swift", "ManagedObjectRegistration.swift",
        "ManagedObjects.swift",
    ]

    /// A model of the target.
    package struct ModelInput: Sendable {
        package var model: VersionedModel
        /// The path used in messages.
        package var file: String
        /// The text of each version's contents, by version name.
        package var contents: [String: String]

        package init(model: VersionedModel, file: String, contents: [String: String]) {
            self.model = model
            self.file = file
            self.contents = contents
        }
    }

    /// A mapping model of the target.
    package struct MappingInput: Sendable {
        package var name: String
        package var mapping: MappingFile

        package init(name: String, mapping: MappingFile) {
            self.name = name
            self.mapping = mapping
        }
    }

    /// A Swift file.
    package struct SourceFile: Sendable, Hashable {
        package var path: String
        package var text: String

        package init(path: String, text: String) {
            self.path = path
            self.text = text
        }
    }

    /// A dependency of the target whose sources can be read.
    package struct Dependency: Sendable {
        package var module: String
        package var sources: [SourceFile]

        package init(module: String, sources: [SourceFile]) {
            self.module = module
            self.sources = sources
        }
    }

    package var module: String
    package var models: [ModelInput]
    package var mappings: [MappingInput]
    package var sources: [SourceFile]
    package var dependencies: [Dependency]
    /// The module that generated files import: `ManagedGraph`, or `CoreData` if the target depends only on that.
    package var importedModule: String

    /// Describes a target.
    ///
    /// - Parameters:
    ///   - module: The name of its module.
    ///   - models: Its models.
    ///   - mappings: Its mapping models.
    ///   - sources: Its Swift files.
    ///   - dependencies: The modules it depends on whose sources can be read.
    ///   - importedModule: The module that generated files import.
    package init(
        module: String,
        models: [ModelInput],
        mappings: [MappingInput] = [],
        sources: [SourceFile],
        dependencies: [Dependency] = [],
        importedModule: String = "ManagedGraph"
    ) {
        self.module = module
        self.models = models
        self.mappings = mappings
        self.sources = sources
        self.dependencies = dependencies
        self.importedModule = importedModule
    }

    /// Generates the files.
    package func generate() -> GeneratedTarget {
        let classes = EntityClasses(models.compactMap(\.currentModel))
        let sources = readSources(classes)
        let keys = ManagedKeys(sources: sources, classes: classes)
        let index = sources.index
        let types = PropertyTypes(classes: classes) { index.hasType(named: $0) }

        var classWriter = ClassWriter(classes: classes, types: types, sources: sources, constants: PropertyConstants())
        let objects = classWriter.write(header: header([], sources))
        var accessorWriter = AccessorWriter(sources: sources, keys: keys, constants: classWriter.constants)
        let accessors = accessorWriter.write(header: header(accessorWriter.files, sources))
        let registrationWriter = RegistrationWriter(
            module: module,
            models: models.map(\.embedded),
            mappings: embeddedMappings,
            classes: classes,
            sources: sources,
            keys: keys,
            constants: accessorWriter.constants
        )
        let registration = registrationWriter.write(header: header(registrationWriter.files, sources))
        let aliases = AliasWriter(index: index, publicNames: publicNames, callsClassFunction: callsClassFunction)
            .write(header: header([], sources))
        return GeneratedTarget(
            files: [
                "ManagedObjects.swift": objects, "ManagedAccessors.swift": accessors,
                "ManagedObjectRegistration.swift": registration, "ManagedGraphAliases.swift": aliases,
            ],
            messages: modelFindings(sources) + localClassFindings(sources) + classWriter.messages
                + accessorWriter.messages
        )
    }

    /// The mapping models as JSON, with references to the target's own model versions resolved.
    private var embeddedMappings: [(name: String, json: String)] {
        mappings.compactMap { input in
            var mapping = input.mapping
            mapping.resolve { version(of: $0, $1) }
            return (try? mapping.json()).map { (input.name, $0) }
        }
    }

    /// A version of one of the target's models.
    private func version(of name: String?, _ version: String) -> Model? {
        models.first { name == nil || $0.model.name == name }?.model.versions.first { $0.name == version }?.model
    }

    /// The alias names that public declarations of the sources mention.
    private var publicNames: Set<String> {
        let names = AliasWriter.names + [AliasWriter.classFunction]
        return Set(names.filter { name in sources.contains { PublicMentions.areMade(of: name, in: $0.text) } })
    }

    private var callsClassFunction: Bool {
        let name = AliasWriter.classFunction
        return sources.contains { $0.text.contains(name + "(") }
            && !sources.contains { $0.text.contains("func \(name)(") }
    }

    /// The problems of the current models: warnings if Apple's compiler continues, errors if it stops.
    ///
    /// Older versions are not checked, as stores have their hashes.
    private func modelFindings(_ sources: ManagedSources) -> [GenerationMessage] {
        // A request may filter by a computed property of any class in memory.
        let computed = Set(sources.declarations.properties.filter { !$0.isStatic }.map(\.name))
        return models.flatMap { input -> [GenerationMessage] in
            guard let current = input.model.current else { return [] }
            let problems = current.findings + FetchChecker.unreadableFormats(of: current.model)
            return problems.compactMap { GenerationMessage($0, file: input.file) }
                + FetchChecker.brokenRequests(of: current.model) { computed.contains($1) }.map {
                    GenerationMessage($0.isUnreadable ? .error : .warning, file: input.file, $0.description)
                }
        }
    }

    /// The classes whose @NSManaged members cannot get bodies: without a message, the program would fail to link.
    private func localClassFindings(_ sources: ManagedSources) -> [GenerationMessage] {
        sources.declarations.localClasses.map { found in
            GenerationMessage(
                found.isConditional ? .warning : .error,
                at: found.location,
                "the class \(found.name) has @NSManaged members and is declared in the body of a function, which "
                    + "generated code cannot reach. Move it to the top level of the file, or into a type."
            )
        }
    }

    private func readSources(_ classes: EntityClasses) -> ManagedSources {
        var declarations = SourceDeclarations()
        for file in sources { declarations.append(SourceReader.read(file.text, file: file.path)) }
        let generated = classes.classes.filter { $0.codeGeneration == .classDefinition }
        let extended = classes.classes.filter { $0.codeGeneration == .category }
        let index = SourceIndex(
            module: module,
            types: declarations.types,
            generated: generated.map { ($0.name, $0.superclass) }
        )
        return ManagedSources(
            declarations: declarations,
            index: index,
            dependencies: DependencyReader.read(declarations, dependencies),
            generated: Set(generated.map(\.name)),
            extended: Set(extended.map(\.name)),
            modelFile: models.first?.file ?? module
        )
    }

    /// The head of a generated file: a note and the imports, including those of the user's `files`.
    private func header(_ files: Set<String>, _ sources: ManagedSources) -> [String] {
        var lines = [
            "// Generated by generate-managed-objects from the models and sources of \(module). Changes are "
                + "overwritten.",
            "// swift-format-ignore-file",
            "import Foundation",
            "import \(importedModule)",
        ]
        var seen = Set(lines)
        for file in files.sorted() {
            for item in sources.declarations.imports[file] ?? [] {
                var text = item.text
                for level in ["public ", "package ", "internal ", "fileprivate ", "private "]
                where text.hasPrefix(level) {
                    text = String(text.dropFirst(level.count))
                }
                guard seen.insert(item.condition.map { "\($0) \(text)" } ?? text).inserted else { continue }
                lines += item.condition.map { ["#if \($0)", text, "#endif"] } ?? [text]
            }
        }
        return lines
    }
}

extension TargetGenerator.ModelInput {
    var currentModel: Model? {
        model.current?.model
    }

    var embedded: RegistrationWriter.EmbeddedModel {
        RegistrationWriter.EmbeddedModel(
            name: model.name,
            versions: model.versions.map { ($0.name, contents[$0.name] ?? "") },
            currentVersion: model.currentName
        )
    }
}
