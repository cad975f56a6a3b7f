// Key paths, followed over the model.
import Foundation
import GraphModel
import GraphPredicates

extension CheckWalk {
    func follow(_ path: ArraySlice<String>, from start: CheckedValue, _ node: ExpressionNode) throws -> CheckedValue {
        var current = start
        var rest = path
        while let name = rest.first {
            if name.hasPrefix("@") { return try apply(name, rest.dropFirst(), to: current, node) }
            let (value, length) = try step(rest, from: current, node)
            current = value
            rest = rest.dropFirst(length)
        }
        return current
    }

    private func step(
        _ path: ArraySlice<String>,
        from value: CheckedValue,
        _ node: ExpressionNode
    ) throws -> (CheckedValue, length: Int) {
        let name = path.first ?? ""
        switch value {
        case .any, .null, .list: return (.any, 1)
        case .many(let element):
            let (value, length) = try step(path, from: element, node)
            if case .many = value { return (value, length) }
            return (.many(value), length)
        case .value(.object(_, let entity)):
            guard let checkedEntity = checker.model.entities[entity] else { return (.any, 1) }
            return try property(path, of: checkedEntity, value, node)
        case .value(let kind):
            if Translator.selfNames.contains(name) { return (value, 1) }
            return (try member(name, of: kind, node), 1)
        }
    }

    private func property(
        _ path: ArraySlice<String>,
        of entity: CheckedModel.CheckedEntity,
        _ object: CheckedValue,
        _ node: ExpressionNode
    ) throws -> (CheckedValue, length: Int) {
        let name = path.first ?? ""
        if let property = entity.properties[name] ?? entity.below[name] {
            if case .attribute(let attribute) = property, attribute.type == .composite {
                return try element(path, of: attribute, 1, node)
            }
            return (kind(of: property), 1)
        }
        if Translator.selfNames.contains(name) || name == "objectID" { return (object, 1) }
        if name == "entity" { return (.value(.entity), path.dropFirst().first == "name" ? 2 : 1) }
        if entity.family.contains(where: { checker.model.isComputed($0, name) }) { return (.any, 1) }
        let nearest = NearestName.of(name, among: checker.model.names(of: entity))
        throw failure(
            .unknownKey,
            ConstantFolding.text(of: node),
            "\(entity.name) has no property \"\(name)\"",
            nearest.map { "The nearest existing name is \"\($0)\"" }
        )
    }

    /// An element of a composite attribute, which may be one itself.
    private func element(
        _ path: ArraySlice<String>,
        of composite: Attribute,
        _ length: Int,
        _ node: ExpressionNode
    ) throws -> (CheckedValue, length: Int) {
        guard let name = path.dropFirst().first else { return (.any, length) }
        guard let element = composite.elements.first(where: { $0.name == name }) else {
            let nearest = NearestName.of(name, among: composite.elements.map(\.name))
            throw failure(
                .unknownKey,
                ConstantFolding.text(of: node),
                "the composite attribute \(composite.name) has no element \"\(name)\"",
                nearest.map { "The nearest existing name is \"\($0)\"" }
            )
        }
        if element.type == .composite { return try self.element(path.dropFirst(), of: element, length + 1, node) }
        return (.value(ValueKind(element.type)), length + 1)
    }

    private func kind(of property: Property) -> CheckedValue {
        switch property {
        case .attribute(let attribute):
            return .value(ValueKind(attribute.type))
        case .relationship(let relationship):
            let name = relationship.destinationEntityName
            guard let destination = checker.model.entities[name] else { return .any }
            let object = CheckedValue.value(.object(table: destination.tree, entity: name))
            return relationship.isToMany ? .many(object) : object
        case .fetched(let fetched):
            let name = fetched.request.entityName
            guard let destination = checker.model.entities[name] else { return .many(.any) }
            return .many(.value(.object(table: destination.tree, entity: name)))
        }
    }

    // MARK: - Keys of values and operators

    /// The value of a key of a value that is not an object, as the evaluator computes it.
    private func member(_ name: String, of kind: ValueKind, _ node: ExpressionNode) throws -> CheckedValue {
        guard let sample = kind.sample else { return .any }
        guard let result = try? KeyPathReader([name]).read(from: sample) else {
            throw failure(.unknownKey, ConstantFolding.text(of: node), "\(kind.name) has no key \"\(name)\"")
        }
        if case .null = result { return .any }
        return Self.constant(result)
    }

    private func apply(
        _ name: String,
        _ rest: ArraySlice<String>,
        to value: CheckedValue,
        _ node: ExpressionNode
    ) throws -> CheckedValue {
        var printed: String { ConstantFolding.text(of: node) }
        switch value {
        case .any, .null, .list: return .any
        case .value(let kind):
            if kind == .transformable || kind == .unknown { return .any }
            throw failure(.unsupported, printed, "\(name) needs a to-many key path before it")
        case .many: break
        }
        switch name {
        case "@count":
            guard rest.isEmpty else { throw failure(.unsupported, printed, "nothing can follow @count") }
            return .value(.integer)
        case "@sum", "@avg", "@min", "@max":
            guard !rest.isEmpty else {
                throw failure(.unsupported, printed, "\(name) needs the key path of an attribute after it")
            }
            guard case .many(.value(let kind)) = try follow(rest, from: value, node),
                kind != .transformable, kind != .unknown
            else { return .any }
            if name == "@min" || name == "@max" {
                guard kind.isOrdered else { throw failure(.incomparable, printed, "\(kind.name) has no order") }
                return .value(kind)
            }
            guard kind.isNumber else {
                throw failure(.incomparable, printed, "\(name) computes with numbers, not \(kind.name)")
            }
            return .value(name == "@sum" ? kind : .real)
        case "@distinctUnionOfObjects", "@unionOfObjects", "@distinctUnionOfSets", "@unionOfSets",
            "@distinctUnionOfArrays", "@unionOfArrays":
            let values = try follow(rest.prefix { !$0.hasPrefix("@") }, from: value, node)
            if case .many = values { return values }
            return .many(values)
        default:
            let operators = ["@count", "@sum", "@avg", "@min", "@max", "@distinctUnionOfObjects", "@unionOfObjects"]
            let near = NearestName.of(name, among: operators).map { "The nearest existing name is \"\($0)\"" }
            throw failure(.unsupported, printed, "\(name) is not a collection operator", near)
        }
    }
}

extension ValueKind {
    /// A value of this kind; nil if the kind does not limit the real ones.
    fileprivate var sample: EvaluatedValue? {
        switch self {
        case .integer: .integer(1)
        case .real: .real(1)
        case .decimal: .decimal(1)
        case .boolean: .boolean(true)
        case .date: .date(Date(timeIntervalSinceReferenceDate: 0))
        case .text: .text("a")
        case .url: URL(string: "http://a.b/c").map(EvaluatedValue.url)
        case .uuid: .uuid(UUID())
        case .data: .data(Data())
        case .transformable, .object, .entity, .unknown: nil
        }
    }
}
