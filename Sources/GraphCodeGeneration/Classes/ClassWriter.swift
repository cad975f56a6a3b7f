// Writes the classes that the model requests ("class definition"), and the properties of classes that the user declares
// ("category/extension"). Called by TargetGenerator.
import GraphModel

/// Writes `ManagedObjects.swift`.
struct ClassWriter {
    let classes: EntityClasses
    let types: PropertyTypes
    let sources: ManagedSources
    var constants: PropertyConstants
    var messages: [GenerationMessage] = []

    /// The text of all classes and extensions.
    mutating func write(header: [String]) -> String {
        var code = CodeText()
        header.forEach { code.line($0) }
        for item in classes.classes { write(item, to: &code) }
        return code.text
    }

    private mutating func write(_ item: EntityClass, to code: inout CodeText) {
        switch item.codeGeneration {
        case .manual:
            return
        case .classDefinition:
            if let location = sources.declaration(ofClass: item.name) {
                messages.append(
                    GenerationMessage(
                        .error,
                        at: location,
                        "the class \(item.name) is declared here, and the model asks for a generated class for entity "
                            + "\(item.entityName). Set the entity's Codegen to Category/Extension or Manual/None."
                    )
                )
                return
            }
            let conformance = isIdentifiable(item) ? "" : ", Identifiable"
            code.line()
            code.line("/// A managed object of the entity `\(item.entityName)`.")
            let access = isPublic(item.name) ? "public " : ""
            code.block(
                "nonisolated \(access)class \(SwiftName.declared(item.name)): \(superclass(of: item))\(conformance)"
            ) {
                writeMembers(of: item, access: access, to: &$0)
            }
        case .category:
            guard sources.declaration(ofClass: item.name) != nil else {
                messages.append(
                    GenerationMessage(
                        .error,
                        file: sources.modelFile,
                        "entity \(item.entityName): its Codegen is Category/Extension, but the target declares no "
                            + "class \(item.name). Declare `class \(item.name): \(item.superclass)`, or set Codegen to "
                            + "Class Definition."
                    )
                )
                return
            }
            code.line()
            let path = sources.path(ofClass: item.name) ?? SwiftName.declared(item.name)
            let access = isPublic(item.name) ? "public " : ""
            code.conditional(sources.managedClass(named: item.name)?.condition) { code in
                code.block("nonisolated extension \(path)") { writeMembers(of: item, access: access, to: &$0) }
                if !isIdentifiable(item) {
                    code.line()
                    code.line("extension \(path): Identifiable {}")
                }
            }
        }
    }

    /// Whether a class is visible outside its module; a generated one is if its superclass is.
    private func isPublic(_ name: String) -> Bool {
        if name == "NSManagedObject" { return true }
        if let declared = sources.isPublic(class: name) { return declared }
        guard let item = classes.entityClass(named: name), item.superclass != name else { return true }
        return isPublic(item.superclass)
    }

    /// Whether the class that a property mentions is visible outside the module.
    private func isPublic(_ property: Property, of item: EntityClass) -> Bool {
        switch property {
        case .attribute(let attribute):
            SwiftName.valueClass(attribute.customClassName).map { sources.isPublicType($0) } ?? true
        case .relationship(let relationship):
            isPublic(classes.className(ofEntity: relationship.destinationEntityName, from: item))
        case .fetched(let fetched):
            isPublic(classes.className(ofEntity: fetched.request.entityName, from: item))
        }
    }

    private func superclass(of item: EntityClass) -> String {
        item.superclass == "NSManagedObject"
            ? types.qualified("NSManagedObject", in: "ManagedGraph")
            : sources.path(ofClass: item.superclass) ?? SwiftName.declared(item.superclass)
    }

    /// Whether the class or one of its superclasses already conforms to `Identifiable`.
    private func isIdentifiable(_ item: EntityClass) -> Bool {
        if sources.declaresIdentifiable(class: item.name) { return true }
        guard let parent = classes.entityClass(named: item.superclass), parent.name != item.name else {
            return sources.declaresIdentifiable(class: item.superclass)
        }
        return parent.codeGeneration != .manual || isIdentifiable(parent)
    }

    private mutating func writeMembers(of item: EntityClass, access: String, to code: inout CodeText) {
        writeFetchRequest(of: item, access: access, to: &code)
        for property in item.properties where mayWrite(property, of: item) {
            let constant = constants.expression(class: item.name, property: property.name)
            let access = isPublic(property, of: item) ? access : ""
            code.line()
            code.line("/// The \(Self.kind(of: property)) `\(property.name)` of the model.")
            let name = SwiftName.declared(property.name)
            code.block("\(access)var \(name): \(types.text(of: property, in: item))") { code in
                let reader = PropertyTypes.holdsOtherTypes(property) ? "managedAnyValue" : "managedValue"
                code.line("get { \(reader)(for: \(constant)) }")
                code.line("set { setManagedValue(newValue, for: \(constant)) }")
            }
            guard case .relationship(let relationship) = property, relationship.isToMany else { continue }
            for accessor in accessors(of: relationship, in: item)
            where !sources.declaresMethod(accessor, inClass: item.name) {
                code.line()
                code.line("/// \(accessor.summary)")
                code.block("\(access)func \(accessor.signature)") { code in
                    code.line(accessor.body.replacing("%", with: constant))
                }
            }
        }
    }

    private func accessors(of relationship: Relationship, in item: EntityClass) -> [ToManyAccessor] {
        ToManyAccessor.all(
            name: relationship.name,
            element: types.className(ofEntity: relationship.destinationEntityName, from: item),
            isOrdered: relationship.isOrdered,
            set: types.qualified(relationship.isOrdered ? "NSOrderedSet" : "NSSet", in: "Foundation"),
            indexSet: types.qualified("NSIndexSet", in: "Foundation")
        )
    }

    private func writeFetchRequest(of item: EntityClass, access: String, to code: inout CodeText) {
        let path = sources.path(ofClass: item.name) ?? SwiftName.declared(item.name)
        let request = "\(types.qualified("NSFetchRequest", in: "ManagedGraph"))<\(path)>"
        code.line("/// A request that fetches objects of the entity `\(item.entityName)`.")
        code.block("@nonobjc \(access)class func fetchRequest() -> \(request)") { code in
            code.line("\(request)(entityName: \(RegistrationWriter.literal(item.entityName)))")
        }
    }

    private mutating func mayWrite(_ property: Property, of item: EntityClass) -> Bool {
        if sources.declaresProperty(property.name, inClass: item.name) { return false }
        guard SwiftName.isInherited(property.name) else { return true }
        messages.append(
            GenerationMessage(
                .warning,
                file: sources.modelFile,
                "entity \(item.entityName), property \(property.name): every managed object has a member of this name, "
                    + "so there is no generated accessor. Use value(forKey:), or rename the property."
            )
        )
        return false
    }

    private static func kind(of property: Property) -> String {
        switch property {
        case .attribute: "attribute"
        case .relationship: "relationship"
        case .fetched: "fetched property"
        }
    }
}
