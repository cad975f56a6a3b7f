// Chooses the next step of a walk from the plain model's state, so that most steps find their objects.
import Foundation
import ManagedGraph
import TestSupport

/// Generates steps.
struct WalkGenerator {
    var random: SeededNumbers
    private var lastSerial = 0
    private var lastContext = 0

    init(seed: UInt64) { random = SeededNumbers(run: seed, of: 0xD1B5_4A32_D192_ED03) }

    private static let names = ["ant", "bee", "cat", "dog", ""]
    private static let entities = ["Node", "Node", "Node", "Leaf", "Box", "Tag", "Badge"]

    mutating func next(_ contexts: [TwinContext], canLetGo: Bool) -> TwinStep {
        // Stay in one context for several steps, so that uncompared changes accumulate.
        if random.chance(35) { lastContext = Int.random(in: 0..<contexts.count, using: &random) }
        let context = contexts[lastContext]
        let operation = self.operation(context, contexts.count, canLetGo)
        return TwinStep(context: lastContext, operation: operation, looks: random.chance(70))
    }

    private mutating func operation(_ context: TwinContext, _ count: Int, _ canLetGo: Bool) -> WalkOperation {
        let serials = context.objects.values.filter(\.isLive).map(\.serial).sorted()
        let kind = Int.random(in: 0..<100, using: &random)
        if serials.count < 3 || kind < 10, serials.count < 14 { return insert() }
        guard let serial = serials.randomElement(using: &random), let object = context.objects[serial] else {
            return insert()
        }
        switch kind {
        case ..<28: return set(object)
        case ..<54: return relate(object, context, serials)
        case ..<60: return .delete(serial)
        case ..<65: return .process
        case ..<74: return .save
        case ..<76: return .rollback
        case ..<81: return .refresh(serial, merging: random.chance(70))
        case ..<82: return .refreshAll
        case ..<92: return .fetch(query(context))
        case ..<93: return .reset
        case ..<95: return canLetGo ? .nullifyReferences(serial) : .fetch(query(context))
        default: return .merge(from: Int.random(in: 0..<count, using: &random))
        }
    }

    private mutating func insert() -> WalkOperation {
        lastSerial += 1
        return .insert(lastSerial, random.pick(Self.entities))
    }

    private mutating func set(_ object: PlainObject) -> WalkOperation {
        let key = (WalkSchema.attributes[object.entity] ?? []).randomElement(using: &random) ?? "name"
        return .set(object.serial, key, value(WalkSchema.entities[object.entity]?.attributes[key]))
    }

    private mutating func value(_ type: NSAttributeType?) -> PlainValue {
        let small = Int.random(in: 0..<5, using: &random)
        switch type {
        case .integer16AttributeType: return .number(Double(small))
        case _ where random.chance(15): return .null
        case .doubleAttributeType: return .number(Double(small) / 4)
        case .booleanAttributeType: return .number(small < 3 ? 1 : 0)
        case .dateAttributeType: return .date(Date(timeIntervalSinceReferenceDate: Double(small) * 86_400))
        case .decimalAttributeType: return .decimal(Decimal(small) / 10)
        case .UUIDAttributeType:
            return .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(small))))
        case .URIAttributeType: return URL(string: "https://example.org/\(small)").map(PlainValue.url) ?? .null
        case .binaryDataAttributeType: return .data(Data(repeating: 7, count: small))
        default: return .text(Self.names[small])
        }
    }

    private mutating func relate(_ object: PlainObject, _ context: TwinContext, _ serials: [Int]) -> WalkOperation {
        guard let relationship = object.relationships.randomElement(using: &random) else { return .process }
        let fitting = serials.filter {
            WalkSchema.isKind(context.objects[$0]?.entity ?? "", of: relationship.destination)
        }
        let name = relationship.name
        let members = object.members(name)
        guard relationship.isToMany else {
            return .relate(object.serial, name, random.chance(20) ? nil : fitting.randomElement(using: &random))
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return .replace(object.serial, name, fitting.shuffled(using: &random).filter { _ in random.chance(50) })
        case 1, 2: if let member = members.randomElement(using: &random) { return .remove(object.serial, name, member) }
        case 3, 4: if relationship.isOrdered { return .rearrange(object.serial, name, by: 1 + members.count / 2) }
        default: break
        }
        guard let member = fitting.randomElement(using: &random) else { return .process }
        return .add(object.serial, name, member)
    }

    private mutating func query(_ context: TwinContext) -> WalkQuery {
        let entity = random.pick(Self.entities)
        let name = random.pick(Self.names)
        var tests: [WalkTest] = [.all, .name(name), .nameContains(name.isEmpty ? "a" : String(name.suffix(1)))]
        if entity == "Node" || entity == "Leaf" {
            tests += [.countAbove(Int.random(in: 0..<4, using: &random)), .flagged, .withoutParent, .boxNamed(name)]
            tests += [.tagged(name), .manyChildren(Int.random(in: 0..<2, using: &random))]
            let boxes = context.objects.values.filter { $0.entity == "Box" && $0.isLive }.map(\.serial).sorted()
            if let box = boxes.randomElement(using: &random) { tests.append(.inBox(box)) }
        }
        return WalkQuery(
            entity: entity,
            test: tests.randomElement(using: &random) ?? .all,
            isAscending: random.chance(50),
            sortsByName: random.chance(50),
            limit: random.chance(20) ? 2 : 0,
            includesPending: !random.chance(10)
        )
    }
}
