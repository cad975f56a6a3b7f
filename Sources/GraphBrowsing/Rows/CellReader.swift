// Turns values of objects into cells. Used on the queue of the objects' context; it keeps no objects.
import Foundation
import GraphModel
import ManagedGraph
import ManagedGraphTools

/// Reads cells from objects.
struct CellReader {
    let shapes: EntityShapes
    let names: ObjectNames
    /// The greatest number of characters of a text in a cell.
    var textLimit = 300

    /// A reference to an object, with its title.
    func link(_ object: NSManagedObject) -> ObjectLink {
        let entity = object.entity.name ?? ""
        let id = names.name(object.objectID)
        return ObjectLink(
            id: id,
            entity: entity,
            title: title(object) ?? (object.objectID.isTemporaryID ? "New \(entity)" : id)
        )
    }

    /// The text by which a person recognizes an object; nil if none of its texts has a value.
    private func title(_ object: NSManagedObject) -> String? {
        for name in shapes[object.entity.name ?? ""]?.titleProperties ?? [] {
            if let title = object.value(forKey: name) as? String, !title.isEmpty { return String(title.prefix(80)) }
        }
        return nil
    }

    /// The cell of a property, or of a key path through to-one relationships.
    ///
    /// `count` is the number of members, if it was counted without reading them.
    func cell(_ object: NSManagedObject, _ property: PropertySummary, count: Int? = nil) -> BrowserCell {
        if !property.name.contains("."), object.entity.propertiesByName[property.name] == nil {
            return BrowserCell(.absent)
        }
        if property.kind == .toMany {
            return BrowserCell(.toMany, count: count ?? Self.members(object, property.name).count)
        }
        return cell(object.value(forKeyPath: property.name), property)
    }

    /// The cell of a value of a property.
    func cell(_ value: Any?, _ property: PropertySummary) -> BrowserCell {
        guard let value, !(value is NSNull) else { return .null }
        if let object = value as? NSManagedObject { return BrowserCell(.toOne, object: link(object)) }
        if property.kind == .toMany { return BrowserCell(.toMany, count: Self.count(value)) }
        // A number of this type has fewer digits than a Double with the same value.
        if property.type == "Float", let number = value as? Double { return text("\(Float(number))", .number) }
        if property.type == "Float", let number = value as? NSNumber { return text("\(number.floatValue)", .number) }
        return cell(value, kind: property.cell)
    }

    /// The cell of a value whose property is not known, as in the result of a fetch with groups.
    func cell(_ value: Any?) -> BrowserCell {
        guard let value, !(value is NSNull) else { return .null }
        return switch value {
        case let object as NSManagedObject: BrowserCell(.toOne, object: link(object))
        case let id as NSManagedObjectID:
            BrowserCell(
                .toOne,
                object: ObjectLink(id: names.name(id), entity: id.entity.name ?? "", title: names.name(id))
            )
        // A number casts to a truth value too.
        case is Bool where type(of: value) == Bool.self: cell(value, kind: .boolean)
        case is Date: cell(value, kind: .date)
        case is Data: cell(value, kind: .binary)
        case is UUID: cell(value, kind: .uuid)
        case is URL: cell(value, kind: .uri)
        case is String: cell(value, kind: .text)
        case is any Numeric, is NSNumber: cell(value, kind: .number)
        default: cell(value, kind: .transformable)
        }
    }

    private func cell(_ value: Any, kind: CellKind) -> BrowserCell {
        switch kind {
        case .date:
            guard let date = value as? Date else { break }
            let seconds = date.timeIntervalSinceReferenceDate
            return BrowserCell(.date, text: DateText.text(seconds) ?? "\(seconds)")
        case .boolean:
            if let flag = value as? Bool { return BrowserCell(.boolean, text: flag ? "true" : "false") }
            if let number = value as? NSNumber {
                return BrowserCell(.boolean, text: number.boolValue ? "true" : "false")
            }
        case .binary:
            guard let data = value as? Data else { break }
            let form = BinaryForm.of(data)
            var cell = BrowserCell(.binary, text: Self.size(data.count), count: data.count)
            (cell.form, cell.mediaType) = (form.name, form.mediaType)
            return cell
        case .uuid: if let uuid = value as? UUID { return BrowserCell(.uuid, text: uuid.uuidString) }
        case .uri: if let url = value as? URL { return BrowserCell(.uri, text: url.absoluteString) }
        case .transformable:
            var cell = text(Self.description(value), .transformable)
            cell.form = "\(type(of: value))"
            return cell
        case .composite:
            guard let elements = value as? [String: Any] else { break }
            let parts = elements.sorted { $0.key < $1.key }.map { "\($0.key): \(self.cell($0.value).text ?? "–")" }
            return text(parts.joined(separator: ", "), .composite)
        default: break
        }
        return text("\(value)", kind)
    }

    private func text(_ text: String, _ kind: CellKind) -> BrowserCell {
        let beginning = text.prefix(textLimit)
        var cell = BrowserCell(kind, text: String(beginning))
        if beginning.endIndex != text.endIndex { cell.isTruncated = true }
        return cell
    }

    private static func description(_ value: Any) -> String {
        switch value {
        case let list as [Any]: "[" + list.map { description($0) }.joined(separator: ", ") + "]"
        case let table as [AnyHashable: Any]:
            "["
                + table.map { ("\($0.key)", description($0.value)) }.sorted { $0.0 < $1.0 }
                .map { "\($0.0): \($0.1)" }.joined(separator: ", ") + "]"
        case let data as Data: "\(data.count) bytes"
        default: "\(value)"
        }
    }

    static func size(_ bytes: Int) -> String {
        if bytes < 1_000 { return "\(bytes) B" }
        if bytes < 1_000_000 { return String(format: "%.1f kB", Double(bytes) / 1_000) }
        return String(format: "%.1f MB", Double(bytes) / 1_000_000)
    }

    private static func count(_ value: Any) -> Int {
        switch value {
        case let set as NSOrderedSet: set.count
        case let set as NSSet: set.count
        case let set as Set<NSManagedObject>: set.count
        default: 0
        }
    }

    /// The members of a relationship, in its order if it has one, otherwise by identifier.
    static func members(_ object: NSManagedObject, _ relationship: String) -> [NSManagedObject] {
        list(object.value(forKey: relationship))
    }

    /// The objects in a value of a relationship.
    static func list(_ value: Any?) -> [NSManagedObject] {
        switch value {
        case let object as NSManagedObject: [object]
        case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
        case let set as Set<NSManagedObject>: sorted(Array(set))
        case let set as NSSet: sorted(set.allObjects.compactMap { $0 as? NSManagedObject })
        default: []
        }
    }

    private static func sorted(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        objects.sorted {
            let (left, right) = ($0.objectID.key, $1.objectID.key)
            return (left.entity, left.primaryKey) < (right.entity, right.primaryKey)
        }
    }
}
