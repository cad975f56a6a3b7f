// Writes the registration with ManagedGraph that runs when the program is loaded: the models' texts, the classes, their
// validators and computed properties; and the constants that accessors use. Called by TargetGenerator.

import GraphArchives

/// Writes `ManagedObjectRegistration.swift`.
struct RegistrationWriter {
    /// A model's versions with the text of their files.
    struct EmbeddedModel {
        var name: String
        var versions: [(name: String, contents: String)]
        var currentVersion: String
    }

    let module: String
    let models: [EmbeddedModel]
    /// Mapping models by name, as JSON.
    let mappings: [(name: String, json: String)]
    let classes: EntityClasses
    let sources: ManagedSources
    let keys: ManagedKeys
    let constants: PropertyConstants

    /// The files whose members the tables call: generated code needs their imports.
    var files: Set<String> {
        let owners = Set(sources.classes.keys)
        return Set(
            sources.declarations.methods.filter {
                Self.isValidator($0) && owners.contains($0.context.enclosing.joined(separator: "."))
            }
            .map(\.context.location.file)
        )
    }

    func write(header: [String]) -> String {
        var code = CodeText()
        header.forEach { code.line($0) }
        writeConstants(to: &code)
        writeModels(to: &code)
        if !mappings.isEmpty { writeMappings(to: &code) }
        writeClasses(to: &code)
        writeRegistration(to: &code)
        return code.text
    }

    private func writeConstants(to code: inout CodeText) {
        code.line()
        code.line("/// The properties that accessors read and write.")
        code.block("nonisolated enum \(PropertyConstants.namespace)") { code in
            for (name, property) in constants.declarations {
                code.line(
                    "static let \(SwiftName.declared(name)) = ManagedGraph.ManagedProperty(\(Self.literal(property)))"
                )
            }
        }
    }

    // MARK: Models

    private func writeModels(to code: inout CodeText) {
        code.line()
        code.block("private nonisolated func embeddedModels() -> [ManagedGraph.ModuleRegistration.Model]") { code in
            guard !models.isEmpty else {
                code.line("[]")
                return
            }
            code.line("[")
            for model in models {
                code.line("    ManagedGraph.ModuleRegistration.Model(")
                code.line("        name: \(Self.literal(model.name)),")
                code.line("        versions: [")
                for version in model.versions {
                    let name = Self.literal(version.name)
                    code.line("            ManagedGraph.ModuleRegistration.Model.Version(name: \(name)) {")
                    code.line(Self.literal(version.contents))
                    code.line("            },")
                }
                code.line("        ],")
                code.line("        currentVersion: \(Self.literal(model.currentVersion))")
                code.line("    ),")
            }
            code.line("]")
        }
    }

    private func writeMappings(to code: inout CodeText) {
        code.line()
        code.block("private nonisolated func embeddedMappings() -> [ManagedGraph.ModuleRegistration.Mapping]") { code in
            code.line("[")
            for mapping in mappings {
                code.line("    ManagedGraph.ModuleRegistration.Mapping(name: \(Self.literal(mapping.name))) {")
                code.line(Self.literal(mapping.json))
                code.line("    },")
            }
            code.line("]")
        }
    }

    /// A single-line string literal whose value is `text`, whatever characters it has.
    static func literal(_ text: String) -> String {
        text.quoted { $0.value < 0x20 || $0.value == 0x7F ? "\\u{\(String($0.value, radix: 16))}" : nil }
    }

    // MARK: Classes

    /// A class to register: a generated one, or one of the sources that is visible to other files.
    private struct RegisteredClass {
        var names: [String]
        var expression: String
        var path: [String]
        var condition: String?
    }

    private var registered: [RegisteredClass] {
        let generated = classes.classes.filter { $0.codeGeneration == .classDefinition }.map {
            RegisteredClass(names: [$0.name], expression: SwiftName.declared($0.name), path: [$0.name])
        }
        let names = Set(generated.map(\.expression))
        let visible = sources.classes.values.filter { !$0.isFileLocal }
        let declared = visible.map { item in
            let name = item.declaration.name
            let objectiveCName = item.declaration.objectiveCName.flatMap { $0 == name ? nil : $0 }
            return RegisteredClass(
                names: [name] + (objectiveCName.map { [$0] } ?? []),
                expression: item.path.map(SwiftName.declared).joined(separator: "."),
                path: item.path,
                condition: item.condition
            )
        }
        return generated + declared.filter { !names.contains($0.expression) }.sorted { $0.expression < $1.expression }
    }

    private func writeClasses(to code: inout CodeText) {
        code.line()
        code.block("private nonisolated func managedClasses() -> [ManagedGraph.ModuleRegistration.Class]") { code in
            let registered = registered
            code.line("\(registered.isEmpty ? "let" : "var") classes: [ManagedGraph.ModuleRegistration.Class] = []")
            // A variable that no condition lets change would be a warning.
            if !registered.isEmpty, registered.allSatisfy({ $0.condition != nil }) {
                code.line("classes.reserveCapacity(\(registered.count))")
            }
            for item in registered {
                code.conditional(item.condition) { code in
                    code.block("do") { code in write(item, to: &code) }
                }
            }
            code.line("return classes")
        }
    }

    private func write(_ item: RegisteredClass, to code: inout CodeText) {
        let tables = tables(of: item)
        let word = { (isUsed: Bool) in isUsed ? "var" : "let" }
        code.line(
            "\(word(!tables.validators.isEmpty)) validators: [String: ManagedGraph.ModuleRegistration.Validator] = [:]"
        )
        let getter = "@Sendable (NSManagedObject) -> Any?"
        code.line("\(word(!tables.computed.isEmpty)) computed: [String: \(getter)] = [:]")
        for entry in tables.validators {
            code.conditional(entry.method.context.condition) { code in
                writeValidator(entry.key, entry.method, of: item, to: &code)
            }
        }
        for property in tables.computed {
            let name = SwiftName.declared(property.name)
            code.conditional(property.context.condition) { code in
                let closure = "{ ($0 as? \(item.expression)).flatMap { $0.\(name) as Any? } }"
                code.line("computed[\(Self.literal(property.key))] = \(closure)")
            }
        }
        writeKeyPaths(of: item, to: &code)
        for name in item.names {
            let tables = "validators: validators, computed: computed, keyPaths: keyPaths"
            let type = "type: \(item.expression).self, \(tables)"
            code.line("classes.append(ManagedGraph.ModuleRegistration.Class(name: \(Self.literal(name)), \(type)))")
        }
    }

    private func writeKeyPaths(of item: RegisteredClass, to code: inout CodeText) {
        let namedKeyPaths = NamedKeyPaths(classes: classes, sources: sources, keys: keys)
        let objective = tables(of: item).computed.filter {
            $0.objectiveCName != nil && sources.isUnconditional($0.context)
        }
        let stored = namedKeyPaths.members(of: item.path, lineage: lineage(of: item.path))
        let others = objective.filter { property in !stored.contains { $0.name == property.name } }
        let names = stored + others.map { (key: $0.key, name: $0.name) }
        code.block("let keyPaths: @Sendable () -> [ManagedGraph.ManagedKeyPath] =") { code in
            guard !names.isEmpty else {
                code.line("[]")
                return
            }
            let owner = item.expression
            code.line("var paths: [ManagedGraph.ManagedKeyPath] = []")
            for (key, name) in names + [("objectID", "objectID")] {
                let member = SwiftName.declared(name)
                let paths = "\\\(owner).\(member), \\\(owner)?.?.\(member)"
                code.line("paths.append(ManagedGraph.ManagedKeyPath(\(Self.literal(key)), \(paths)))")
            }
            code.line("return paths")
        }
    }

    /// The paths of a class and its superclasses in this target, starting at the top.
    private func lineage(of path: [String]) -> [[String]] {
        var result = [path]
        while result.count < 64, let last = result.last {
            let name = last.joined(separator: ".")
            if let parent = sources.classes[name]?.superclassPath {
                result.append(parent)
            } else if let generated = classes.entityClass(named: name), generated.superclass != "NSManagedObject",
                sources.classes[name] == nil
            {
                result.append(sources.managedClass(named: generated.superclass)?.path ?? [generated.superclass])
            } else if let parent = sources.classes[name]?.declaration.inheritance.first?.path,
                parent.count == 1, classes.entityClass(named: parent[0])?.codeGeneration == .classDefinition
            {
                result.append(parent)
            } else {
                break
            }
        }
        return result.reversed()
    }

    /// The validators and computed properties of a class, inherited ones included.
    private func tables(
        of item: RegisteredClass
    ) -> (validators: [(key: String, method: DeclaredMethod)], computed: [DeclaredProperty]) {
        let modelProperties = keys.properties(of: item.path)
        let lineage = lineage(of: item.path)
        var validators: [(key: String, method: DeclaredMethod)] = []
        var computed: [DeclaredProperty] = []
        // `flags` has no value by key if `@NSManaged @objc(flags) var storedFlags` answers for it.
        let renamed = sources.declarations.properties.filter {
            $0.isManaged && $0.key != $0.name && lineage.contains($0.context.enclosing)
        }
        // Any thread may read the tables, so skip members isolated to an actor.
        for owner in lineage where !(sources.classes[owner.joined(separator: ".")]?.declaration.isIsolated ?? false) {
            for method in sources.declarations.methods
            where method.context.enclosing == owner && Self.isValidator(method) {
                guard let key = ManagedKeys.key(method.name.dropFirst("validate".count), in: modelProperties) else {
                    continue
                }
                validators.removeAll { $0.key == key }
                validators.append((key, method))
            }
            for property in sources.declarations.properties
            where property.context.enclosing == owner && Self.isReadable(property) {
                computed.removeAll { $0.name == property.name }
                // A property that reads its own key exposes the stored value instead of computing it.
                let isReader =
                    property.asksForOwnKey || property.asksForUnknownKey && modelProperties?[property.name] != nil
                let isHidden = renamed.contains { $0.key == property.key }
                if !isReader, !isHidden { computed.append(property) }
            }
        }
        return (validators, computed)
    }

    private static func isReadable(_ property: DeclaredProperty) -> Bool {
        (property.isComputed || property.objectiveCName != nil) && property.isPlainlyReadable
            && !property.isManaged && !property.isStatic && !property.isHiddenFromObjectiveC
            && !property.context.access.isFileLocal && !SwiftName.isInherited(property.name)
    }

    // MARK: Validators

    private var mangler: DeclarationMangler {
        DeclarationMangler(index: sources.index, dependencies: sources.dependencies)
    }

    private static func isValidator(_ method: DeclaredMethod) -> Bool {
        guard method.parameters.allSatisfy({ isValue($0) }) else { return false }
        return method.name.hasPrefix("validate") && method.parameters.count == 1 && method.result == nil
            && !method.isStatic
            && !method.isAsync && !method.isIsolated && !method.isManaged && !method.context.access.isFileLocal
            && !["validateForInsert", "validateForUpdate", "validateForDelete"].contains(method.name)
    }

    /// Whether a value of the model can be passed for a parameter: not for closures, opaque types and most pointers.
    private static func isValue(_ parameter: DeclaredMethod.Parameter) -> Bool {
        if case .named(let components) = parameter.type.unwrapped, components.last?.name == pointer {
            let object = TypeExpression.optional(.named([.init("AnyObject")]))
            return components.last?.arguments == [object]
        }
        // Only the types of closures have attributes.
        return parameter.type.isSupported && !parameter.typeText.contains("@")
    }

    private static let pointer = "AutoreleasingUnsafeMutablePointer"

    private func writeValidator(
        _ key: String,
        _ method: DeclaredMethod,
        of item: RegisteredClass,
        to code: inout CodeText
    ) {
        let parameter = method.parameters[0]
        let word = method.isThrowing ? "try " : ""
        let label = parameter.label.map { "\($0): " } ?? ""
        let call = { (argument: String) in "\(word)object.\(SwiftName.declared(method.name))(\(label)\(argument))" }
        let isAny = parameter.type.unwrapped.path == ["Any"]
        let isOptional = if case .optional = parameter.type { true } else { false }
        let cast = isAny ? "value" : "value as? \(castType(of: parameter, method.context))"
        code.line("validators[\(Self.literal(key))] = { object, value in")
        code.line("    guard let object = object as? \(item.expression) else { return }")
        if parameter.type.unwrapped.path?.last == Self.pointer {
            // Read the value back only if the method replaced the object, so that an unchanged value keeps its type.
            code.line("    let original = value as AnyObject?")
            code.line("    let pointer = AutoreleasingUnsafeMutablePointer<AnyObject?>(original)")
            code.line("    \(call("pointer"))")
            code.line("    if pointer.pointee !== original { value = pointer.pointee }")
        } else if parameter.isInout, isAny, isOptional {
            code.line("    \(call("&value"))")
        } else if parameter.isInout {
            code.line(isOptional ? "    var typed = \(cast)" : "    guard var typed = \(cast) else { return }")
            code.line("    \(call("&typed"))")
            code.line("    value = typed")
        } else if isOptional {
            code.line("    \(call(cast))")
        } else {
            code.line("    guard let value = \(cast) else { return }")
            code.line("    \(call("value"))")
        }
        code.line("}")
    }

    private static let specifiers = ["inout ", "borrowing ", "consuming ", "sending ", "__owned ", "__shared "]

    /// The text of a parameter's type for a cast outside of its class: without specifiers and the mark of an optional.
    private func castType(of parameter: DeclaredMethod.Parameter, _ context: DeclarationContext) -> String {
        var text = parameter.typeText
        while let word = Self.specifiers.first(where: { text.hasPrefix($0) }) {
            text = String(text.dropFirst(word.count))
        }
        guard case .optional(let wrapped) = parameter.type else {
            return mangler.outerSpelling(of: parameter.type, text: text, in: context)
        }
        if text.hasSuffix("?") || text.hasSuffix("!") { text = String(text.dropLast()) }
        return mangler.outerSpelling(of: wrapped, text: text, in: context)
    }

    // MARK: Registration

    private func writeRegistration(to code: inout CodeText) {
        code.line()
        code.line("// Run by the loader, before main.")
        code.line("#if os(Windows)")
        code.line("@section(\".CRT$XCU\")")
        code.line("#elseif canImport(Darwin)")
        code.line("@section(\"__DATA,__mod_init_func\")")
        code.line("#else")
        code.line("@section(\".init_array\")")
        code.line("#endif")
        // Release builds fold this constant only if the whole module compiles without errors.
        code.line("// An error about '@const' that is reported here beside others is their consequence: correct those.")
        code.line("@used nonisolated let registerManagedObjects: @convention(c) () -> Void = {")
        code.line("    ManagedGraph.ManagedObjectRegistry.register(module: \(Self.literal(module))) {")
        let mapped = mappings.isEmpty ? "" : ", mappings: embeddedMappings()"
        code.line(
            "        ManagedGraph.ModuleRegistration(models: embeddedModels(), classes: managedClasses()\(mapped))"
        )
        code.line("    }")
        code.line("}")
    }
}
