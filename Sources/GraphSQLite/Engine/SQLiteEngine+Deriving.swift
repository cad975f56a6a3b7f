// The store's part of derived attributes: supported derivations, and the paths on which they depend.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL

extension SQLiteEngine {
    /// Collects the paths to follow.
    ///
    /// Throws for a derivation that this store cannot compute, as Apple's framework does.
    func prepareDerivations(_ model: ModelLayout) throws {
        derivedPaths = []
        for layout in model.entities {
            guard let entity = schema.entities[layout.name] else { continue }
            for slot in layout.properties {
                guard let format = slot.derivationFormat, slot.isOwn, !slot.isTransient else { continue }
                guard let derivation = slot.derivation, canCompute(derivation, of: entity, slot.type) else {
                    throw EngineError(
                        .incompatibleSchema,
                        "\(layout.name).\(slot.name) is derived by \"\(format)\", which a SQLite "
                            + "store cannot compute.",
                        remedy:
                            "Use a path of to-one relationships to an attribute, canonical:, uppercase: or lowercase: "
                            + "of one, @count or @sum of a to-many relationship, or now(); of stored properties."
                    )
                }
                if let path = DerivedPath(derivation, of: slot.name, entity: entity, schema: schema) {
                    derivedPaths.append(path)
                }
            }
        }
    }

    private func canCompute(_ derivation: Derivation, of entity: EntitySchema, _ type: AttributeType) -> Bool {
        switch derivation {
        case .now: return type == .date
        case .count(let name): return destination(of: name, entity) != nil
        case .aggregate(let function, let name, let attribute):
            guard ["sum", "min", "max", "average"].contains(function), let destination = destination(of: name, entity),
                case .attribute? = destination.properties[attribute]
            else { return false }
            return true
        case .function(let name, let path):
            return Derivation.call(name, "") != nil && type == .string && kind(at: path, of: entity) == .string
        case .path(let path): return kind(at: path, of: entity) == type
        }
    }

    /// The destination entity of a to-many relationship.
    private func destination(of name: String, _ entity: EntitySchema) -> EntitySchema? {
        switch entity.properties[name] {
        case .toManyInverse(let inverse)?: schema.entities[inverse.destination]
        case .manyToMany(let join)?: schema.entities[join.destination]
        default: nil
        }
    }

    private func kind(at path: [String], of entity: EntitySchema) -> AttributeType? {
        var entity = entity
        for name in path.dropLast() {
            guard case .toOne(let toOne)? = entity.properties[name], let next = schema.entities[toOne.destination]
            else {
                return nil
            }
            entity = next
        }
        guard let last = path.last, case .attribute(let attribute)? = entity.properties[last] else { return nil }
        return attribute.type
    }

    /// The path steps that each slot of an entity is part of.
    func followedSlots(_ layout: EntityLayout) -> [Int: [(path: Int, step: Int)]] {
        var result: [Int: [(path: Int, step: Int)]] = [:]
        for (number, path) in derivedPaths.enumerated() {
            for (step, entity) in path.entities.enumerated() {
                guard model?.byName[entity.name].map(layout.isKind) == true,
                    let slot = layout.slot(named: path.path[step])
                else { continue }
                result[slot, default: []].append((number, step))
            }
        }
        return result
    }
}
