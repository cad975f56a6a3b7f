// Writes the two files per entity of Xcode's "Create NSManagedObject Subclass", for manual use: from then on the user
// maintains the class. Called by generate-managed-objects with --classes-only, and by ClassFolder.
import GraphModel

/// Generates the two files of a class.
package struct XcodeFiles {
    /// One file.
    package struct File: Sendable, Hashable {
        package var name: String
        package var text: String
        package var className: String
        package var entityName: String
        /// Whether the file declares the class, and so is maintained by the user.
        package var isClass: Bool
    }

    private let classes: EntityClasses
    private let types: PropertyTypes
    private let module: String
    /// The access level with a trailing space, or an empty text.
    private let access: String

    /// - Parameters:
    ///   - model: The model.
    ///   - module: The module that the files import: `CoreData` also compiles on Apple platforms.
    ///   - access: The access level of classes and members; `internal` is omitted.
    package init(model: Model, module: String = "CoreData", access: String = "public") {
        self.access = access == "internal" ? "" : access + " "
        classes = EntityClasses([model])
        types = PropertyTypes(classes: classes) { _ in false }
        self.module = module
    }

    /// The text of each file, by name; for every class, regardless of its code generation setting.
    package func files() -> [String: String] {
        Dictionary(all(includingManual: true, wholeClasses: true).map { ($0.name, $0.text) }) { first, _ in first }
    }

    /// The files that the entities request: only the properties if the user declares the class, nothing if the user
    /// writes both.
    ///
    /// - Parameter includingManual: Whether to generate classes with "Manual/None" too.
    /// - Returns: The files, in the order of the model.
    package func files(includingManual: Bool) -> [File] {
        all(includingManual: includingManual, wholeClasses: includingManual)
    }

    private func all(includingManual: Bool, wholeClasses: Bool) -> [File] {
        classes.classes.filter { includingManual || $0.codeGeneration != .manual }.flatMap { item in
            let stem = SwiftName.sanitized(item.name)
            func file(_ kind: String, _ text: String) -> File {
                File(
                    name: "\(stem)+CoreData\(kind).swift",
                    text: text,
                    className: item.name,
                    entityName: item.entityName,
                    isClass: kind == "Class"
                )
            }
            let properties = file("Properties", propertiesFile(item))
            return item.codeGeneration == .category && !wholeClasses
                ? [properties] : [file("Class", classFile(item)), properties]
        }
    }

    private func classFile(_ item: EntityClass) -> String {
        var code = CodeText()
        code.line("import \(module)")
        code.line("import Foundation")
        code.line()
        code.line("/// A managed object of the entity `\(item.entityName)`.")
        attribute("@objc(\(item.name))", to: &code)
        code.line("\(access)class \(SwiftName.declared(item.name)): \(SwiftName.declared(item.superclass)) {}")
        return code.text
    }

    private func propertiesFile(_ item: EntityClass) -> String {
        let name = SwiftName.declared(item.name)
        var code = CodeText()
        code.line("import \(module)")
        code.line("import Foundation")
        code.line()
        code.block("extension \(name)") { code in
            code.line("/// A request that fetches objects of the entity `\(item.entityName)`.")
            code.block("@nonobjc \(access)class func fetchRequest() -> NSFetchRequest<\(name)>") { code in
                code.line("NSFetchRequest<\(name)>(entityName: \(RegistrationWriter.literal(item.entityName)))")
            }
            code.line()
            for property in item.properties {
                let type = types.text(of: property, in: item)
                code.line("@NSManaged \(access)var \(SwiftName.declared(property.name)): \(type)")
            }
        }
        for case .relationship(let relationship) in item.properties where relationship.isToMany {
            code.line()
            code.line("// MARK: Generated accessors for \(relationship.name)")
            code.block("extension \(name)") { code in
                for (index, accessor) in accessors(of: relationship, in: item).enumerated() {
                    if index > 0 { code.line() }
                    attribute("@objc(\(accessor.selector))", to: &code)
                    code.line("@NSManaged \(access)func \(accessor.signature)")
                }
            }
        }
        if !hasIdentifiableSuperclass(item) {
            code.line()
            code.line("extension \(name): Identifiable {}")
        }
        return code.text
    }

    private func accessors(of relationship: Relationship, in item: EntityClass) -> [ToManyAccessor] {
        ToManyAccessor.all(
            name: relationship.name,
            element: types.className(ofEntity: relationship.destinationEntityName, from: item),
            isOrdered: relationship.isOrdered,
            set: relationship.isOrdered ? "NSOrderedSet" : "NSSet",
            indexSet: "NSIndexSet"
        )
    }

    private func hasIdentifiableSuperclass(_ item: EntityClass) -> Bool {
        classes.entityClass(named: item.superclass) != nil
    }

    private func attribute(_ text: String, to code: inout CodeText) {
        code.conditional("canImport(ObjectiveC)") { $0.line(text) }
    }
}
