// The names available to random predicates: the attributes and relationships of a model.
import GraphModel
import GraphSQL
import ModelSupport
import TestSupport

/// A random model: inherited entities, attributes of every comparable type, relationships of every form.
struct RandomModel {
    let names: [String]
    let model: Model
    private(set) var graph = RandomGraph()
    /// Attributes by entity, including inherited ones.
    private(set) var types: [String: [String: AttributeType]] = [:]
    private var relationships: [(name: String, inverse: String, from: String, to: String, form: Form)] = []

    private enum Form: CaseIterable { case oneToOne, oneToMany, ordered, manyToMany }

    // Words of SQL and of the predicate language are valid names.
    private static let words = [
        "value", "order", "select", "group", "index", "count", "size", "any", "text", "key", "from", "z_pk", "t0",
    ]

    init(_ random: inout SeededNumbers, isWide: Bool = false) {
        let names = (0..<random.pick([2, 3, 4, 5])).map { "E\($0)" }
        var parents: [String: String] = [:]
        for (index, name) in names.enumerated() where index > 0 && random.chance(35) {
            parents[name] = random.pick(Array(names[..<index]))
        }
        var properties: [String: [Property]] = [:]
        var types: [String: [String: AttributeType]] = [:]
        for name in names {
            var own = parents[name].flatMap { types[$0] } ?? [:]
            for number in 0..<random.pick([1, 2, 3, 4]) {
                let attribute = random.chance(40) ? random.pick(Self.words) : "a\(number)\(name)"
                guard own[attribute] == nil else { continue }
                let wide: [AttributeType] = isWide ? [.decimal, .decimal, .float, .integer32] : []
                let type = random.pick(
                    [.string, .string, .integer16, .integer64, .double, .boolean, .date, .uuid] + wide
                )
                own[attribute] = type
                properties[name, default: []].append(.attribute(attribute, type))
            }
            types[name] = own
        }
        for number in 0..<random.pick([2, 4, 6]) {
            let (from, to) = (random.pick(names), random.pick(names))
            let form = random.pick(Form.allCases)
            let (name, inverse) = ("own\(number)", "inverse\(number)")
            relationships.append((name, inverse, from, to, form))
            properties[from, default: []]
                .append(form == .manyToMany ? .toMany(name, to, inverse) : .toOne(name, to, inverse))
            properties[to, default: []]
                .append(
                    form == .oneToOne
                        ? .toOne(inverse, from, name) : .toMany(inverse, from, name, isOrdered: form == .ordered)
                )
        }
        self.names = names
        self.types = types
        model = Model(
            entities: names.map {
                Entity(name: $0, superentityName: parents[$0], properties: properties[$0] ?? [])
            }
        )
        for name in names {
            for (attribute, type) in (types[name] ?? [:]).sorted(by: { $0.key < $1.key }) {
                graph.attributes[name, default: [:]][Self.kind(type), default: []].append(attribute)
            }
            let line = sequence(first: name) { parents[$0] }.map { $0 }
            for relationship in relationships {
                if line.contains(relationship.from) {
                    if relationship.form == .manyToMany {
                        graph.toManys[name, default: []].append((relationship.name, relationship.to))
                    } else {
                        graph.toOnes[name, default: []].append((relationship.name, relationship.to))
                    }
                }
                if line.contains(relationship.to) {
                    if relationship.form == .oneToOne {
                        graph.toOnes[name, default: []].append((relationship.inverse, relationship.from))
                    } else {
                        graph.toManys[name, default: []].append((relationship.inverse, relationship.from))
                        if relationship.form == .ordered {
                            graph.ordered[name, default: []].append((relationship.inverse, relationship.from))
                        }
                    }
                }
            }
        }
    }

    private static func kind(_ type: AttributeType) -> RandomPredicates.Kind {
        switch type {
        case .string: .text
        case .boolean: .boolean
        case .date: .date
        case .uuid: .uuid
        default: .number
        }
    }

    /// A store with some objects of every entity.
    func makeStore(_ random: inout SeededNumbers, isWide: Bool = false) throws -> SampleStore {
        let store = try SampleStore(StoreSchema(model: model)) { $0.hasPrefix("own") }
        var objects: [String: [SampleObject]] = [:]
        for name in names {
            for _ in 0..<random.pick([0, 3, 6]) {
                let object = store.add(name, RandomPredicates.values(types[name] ?? [:], &random, isWide: isWide))
                objects[name, default: []].append(object)
            }
        }
        func family(_ name: String) -> [SampleObject] {
            names.filter { isKind($0, of: name) }.flatMap { objects[$0] ?? [] }
        }
        for relationship in relationships {
            var free = family(relationship.to)
            for object in family(relationship.from) where random.chance(65) && !free.isEmpty {
                switch relationship.form {
                case .manyToMany: object.values[relationship.name] = free.filter { _ in random.chance(35) }
                case .oneToMany, .ordered: object.values[relationship.name] = random.pick(free)
                case .oneToOne:
                    let target = free.remove(at: Int.random(in: 0..<free.count, using: &random))
                    object.values[relationship.name] = target
                    target.values[relationship.inverse] = object
                }
            }
        }
        try store.write()
        return store
    }

    private func isKind(_ name: String, of ancestor: String) -> Bool {
        sequence(first: name) { below in model.entities.first { $0.name == below }?.superentityName }.contains(ancestor)
    }
}
