// Writes the two files per entity that Xcode's "Create NSManagedObject Subclass" writes, for use by hand: the class is
// the user's from then on. Called by the command with --classes-only.
import GraphModel

/// Makes a class's two files.
package struct XcodeFiles {
    private let classes: EntityClasses
    private let types: PropertyTypes
    private let module: String

    /// - Parameters:
    ///   - model: the model.
    ///   - module: the module that the files import: `CoreData` compiles on Apple's platforms too.
    package init(model: Model, module: String = "CoreData") {
        classes = EntityClasses([model])
        types = PropertyTypes(classes: classes) { _ in false }
        self.module = module
    }

    /// The text of each file, by name.
    package func files() -> [String: String] {
        var result: [String: String] = [:]
        for item in classes.classes {
            result["\(item.name)+CoreDataClass.swift"] = classFile(item)
            result["\(item.name)+CoreDataProperties.swift"] = propertiesFile(item)
        }
        return result
    }

    private func classFile(_ item: EntityClass) -> String {
        var code = CodeText()
        code.line("import \(module)")
        code.line("import Foundation")
        code.line()
        code.line("/// A managed object of the entity `\(item.entityName)`.")
        attribute("@objc(\(item.name))", to: &code)
        code.line("public class \(SwiftName.declared(item.name)): \(SwiftName.declared(item.superclass)) {}")
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
            code.block("@nonobjc public class func fetchRequest() -> NSFetchRequest<\(name)>") { code in
                code.line("NSFetchRequest<\(name)>(entityName: \"\(item.entityName)\")")
            }
            code.line()
            for property in item.properties {
                let type = types.text(of: property)
                code.line("@NSManaged public var \(SwiftName.declared(property.name)): \(type)")
            }
        }
        for case .relationship(let relationship) in item.properties where relationship.isToMany {
            code.line()
            code.line("// MARK: Generated accessors for \(relationship.name)")
            code.block("extension \(name)") { code in
                for (index, accessor) in accessors(of: relationship).enumerated() {
                    if index > 0 { code.line() }
                    attribute("@objc(\(accessor.selector))", to: &code)
                    code.line("@NSManaged public func \(accessor.signature)")
                }
            }
        }
        if !hasIdentifiableSuperclass(item) {
            code.line()
            code.line("extension \(name): Identifiable {}")
        }
        return code.text
    }

    private func accessors(of relationship: Relationship) -> [ToManyAccessor] {
        ToManyAccessor.all(
            name: relationship.name,
            element: types.className(ofEntity: relationship.destinationEntityName),
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
