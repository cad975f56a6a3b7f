// The entities of a model compiled for use. Made when a model is first used by a coordinator or an object; read by contexts,
// fetches and stores; immutable.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL
import Synchronization

/// All layouts of a model.
///
/// It and its model hold each other: a model that was used once stays in memory, so that objects and identifiers can
/// refer to their layouts without counting references. Equal models share one compiled form.
package final class CompiledModel: @unchecked Sendable {
    package let layouts: [ObjectLayout]
    package let trees: [TreeLayout]
    package let byName: [String: ObjectLayout]
    /// The layouts by the identifiers of their classes.
    private let byClass: [Int: ObjectLayout]
    let model: NSManagedObjectModel
    /// The engines' view of the model.
    package let stored: ModelLayout
    /// The check of fetches against this model.
    package let checker: FetchChecker
    /// The archives that new stores contain, by configuration.
    let embeddedModels = Mutex<[String?: Data?]>([:])

    /// The compiled models, by the checksum of their entities' version hashes.
    private static let compiledModels = Mutex<[String: [CompiledModel]]>([:])
    /// Lets one thread at a time compile models.
    ///
    /// Recursive, as code of the program runs meanwhile that may compile another model: a handler of the log, or a class
    /// of models.
    private static let compiling = NSRecursiveLock()

    /// The compiled form of a model, made on first use; the model cannot be edited afterwards.
    ///
    /// A model that equals one in use, and whose classes are the same, shares its form and its entities.
    package static func of(_ model: NSManagedObjectModel) -> CompiledModel {
        compiling.withLock {
            if let compiled = model.compiledModel { return compiled }
            model.freeze()
            let checksum = model.versionChecksum
            let compiled: CompiledModel
            let candidates = compiledModels.withLock { $0[checksum] ?? [] }
            if let equal = candidates.first(where: { $0.canBeUsed(for: model) }) {
                model.shareEntities(of: equal.model)
                compiled = equal
            } else {
                compiled = CompiledModel(model)
                compiledModels.withLock { $0[checksum, default: []].append(compiled) }
            }
            model.compiledModel = compiled
            compiled.noteClasses()
            return compiled
        }
    }

    private func canBeUsed(for model: NSManagedObjectModel) -> Bool {
        model.canShareEntities(of: self.model)
            && layouts.allSatisfy { layout in
                ManagedObjectRegistry.findClass(
                    named: layout.entity.managedObjectClassName ?? "",
                    entity: layout.name
                ).type == layout.objectClass
            }
    }

    /// Makes this model's entities those of its classes.
    ///
    /// Of several models with an entity of a class, the one that was used last counts: a new coordinator and an added store are uses.
    func noteClasses() {
        ManagedObjectRegistry.note(self) {
            layouts.filter { layout(of: $0.objectClass) === $0 }.map { ($0.objectClass, $0.entity) }
        }
    }

    /// The layout of an entity, or an error that names the nearest one.
    package func layout(named name: String) throws -> ObjectLayout {
        if let layout = byName[name] { return layout }
        let names = byName.keys.sorted()
        let near = NearestName.of(name, among: names).map { " Did you mean \($0)?" } ?? ""
        throw CoreDataError.make(
            NSCoreDataError,
            "The model has no entity named \(name).\(near)",
            remedy: "Use one of: \(names.joined(separator: ", "))."
        )
    }

    private init(_ model: NSManagedObjectModel) {
        self.model = model
        let entities = model.entities
        var indexes: [Int: Int] = [:]
        for (index, entity) in entities.enumerated() { indexes[ObjectIdentifier(entity).number] = index }
        let indexOf = { (entity: NSEntityDescription) in indexes[ObjectIdentifier(entity).number] }

        var trees: [TreeLayout] = []
        var treeByRoot: [Int: TreeLayout] = [:]
        for entity in entities where entity.superentity == nil {
            let tree = TreeLayout(root: entity, index: trees.count)
            treeByRoot[ObjectIdentifier(entity).number] = tree
            trees.append(tree)
        }
        var layouts: [ObjectLayout] = []
        for (index, entity) in entities.enumerated() {
            var root = entity
            while let parent = root.superentity { root = parent }
            guard let tree = treeByRoot[ObjectIdentifier(root).number] else {
                preconditionFailure(
                    "The superentity of \(entity.name ?? "") is not in the model. Add it to the model's entities."
                )
            }
            layouts.append(ObjectLayout(entity: entity, index: index, tree: tree, indexOf: indexOf))
        }
        self.layouts = layouts
        self.trees = trees
        byName = Dictionary(layouts.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var byClass: [Int: ObjectLayout] = [:]
        for layout in layouts where layout.objectClass != NSManagedObject.self {
            // Several entities may share one class: the one nearest the root stands for it.
            let key = ObjectIdentifier(layout.objectClass).number
            if let existing = byClass[key], !existing.entity.isKindOf(entity: layout.entity) { continue }
            byClass[key] = layout
        }
        self.byClass = byClass
        let computed = Dictionary(layouts.map { ($0.name, Set($0.computed.keys)) }) { first, _ in first }
        checker = FetchChecker(model: model.schema) { computed[$0]?.contains($1) == true }
        for layout in layouts {
            layout.family = layouts.indices.filter { layouts[$0].entity.isKindOf(entity: layout.entity) }
        }
        for layout in layouts { layout.linkInverses(in: layouts) }
        stored = ModelLayout(entities: layouts.map(EntityLayout.init), trees: trees)
        for layout in layouts {
            layout.model = self
            layout.stored = stored.entities[layout.index]
            Immortal.make(layout.stored)
        }
        for tree in trees { Immortal.make(tree) }
        for layout in layouts {
            Immortal.make(layout)
            for slot in layout.slots { Immortal.make(slot) }
            layout.entity.compiledLayout = layout
        }
    }

    /// The entity of a class.
    ///
    /// O(1).
    func layout(of objectClass: NSManagedObject.Type) -> ObjectLayout? {
        byClass[ObjectIdentifier(objectClass).number]
    }
}

extension ObjectIdentifier {
    /// The identifier as a key of a dictionary.
    ///
    /// The first dictionary with a type of keys searches all conformances of the process, and a program that starts
    /// has dictionaries with numbers anyway.
    var number: Int { Int(bitPattern: self) }
}
