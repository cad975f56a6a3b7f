// Draws a model as SVG: entities with their properties, and relationships as lines with crow's feet. The colours are
// classes of tour.css. Called by ScreenServer once for each application; works on values.
import CoreData
import Foundation

/// The picture of a model.
struct ModelDiagram {
    private struct Box {
        let entity: NSEntityDescription
        let properties: [NSPropertyDescription]
        var column = 0
        var x = 0.0
        var y = 0.0

        var name: String { entity.name ?? "" }
        var height: Double { header + Double(max(1, properties.count)) * line + 8 }

        /// The middle of a property's line.
        func middle(_ property: String) -> Double {
            let place = properties.firstIndex { $0.name == property } ?? 0
            return y + header + 4 + (Double(place) + 0.5) * line
        }
    }

    private static let header = 30.0
    private static let line = 21.0
    private static let width = 178.0
    private static let gap = 64.0
    private static let space = 22.0
    private static let margin = 6.0

    private var boxes: [Box]

    /// Lays out a model: the entity with the most relationships first, those that it leads to beside it.
    init(_ model: NSManagedObjectModel) {
        boxes = model.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }.map { entity in
            let inherited = Set(entity.superentity.map { Array($0.propertiesByName.keys) } ?? [])
            let own = entity.properties.filter { !inherited.contains($0.name) }
            return Box(entity: entity, properties: own.sorted { Self.rank($0) < Self.rank($1) })
        }
        placeColumns()
        placeRows()
    }

    /// Attributes by name, then relationships, then fetched properties.
    private static func rank(_ property: NSPropertyDescription) -> String {
        let kind = property is NSAttributeDescription ? 0 : property is NSRelationshipDescription ? 1 : 2
        return "\(kind)\(property.name)"
    }

    private mutating func placeColumns() {
        func relationships(_ box: Box) -> [NSRelationshipDescription] {
            box.properties.compactMap { $0 as? NSRelationshipDescription }
        }
        var columns: [String: Int] = [:]
        let order = boxes.sorted { (relationships($0).count, $1.name) > (relationships($1).count, $0.name) }
        for first in order where columns[first.name] == nil && first.entity.subentities.isEmpty {
            columns[first.name] = 0
            var queue = [first]
            while let box = queue.popLast() {
                for relationship in relationships(box) {
                    guard let name = relationship.destinationEntity?.name, columns[name] == nil,
                        let next = boxes.first(where: { $0.name == name })
                    else { continue }
                    columns[name] = (columns[box.name] ?? 0) + 1
                    queue.append(next)
                }
            }
        }
        for box in order where columns[box.name] == nil {
            let below = box.entity.subentities.compactMap { $0.name.flatMap { columns[$0] } }.max() ?? 0
            columns[box.name] = below + 1
        }
        for index in boxes.indices { boxes[index].column = columns[boxes[index].name] ?? 0 }
    }

    private mutating func placeRows() {
        let heights = Dictionary(grouping: boxes, by: \.column).mapValues { column in
            column.reduce(-Self.space) { $0 + $1.height + Self.space }
        }
        let tallest = heights.values.max() ?? 0
        var next = heights.mapValues { Self.margin + (tallest - $0) / 2 }
        for index in boxes.indices {
            let column = boxes[index].column
            boxes[index].x = Self.margin + Double(column) * (Self.width + Self.gap)
            boxes[index].y = next[column] ?? 0
            next[column] = boxes[index].y + boxes[index].height + Self.space
        }
    }

    // MARK: SVG

    /// The picture, with a description for screen readers.
    func svg(_ title: String) -> String {
        let width = (boxes.map { $0.x + Self.width }.max() ?? 0) + Self.margin
        let height = (boxes.map { $0.y + $0.height }.max() ?? 0) + Self.margin
        let shapes = lines + boxes.map(Self.shape)
        return """
            <svg class="model"\(width > 600 ? " data-wide" : "") role="img" aria-label="\(Self.escaped("\(title): \(words)"))" \
            viewBox="0 0 \(Self.number(width)) \(Self.number(height))" width="\(Self.number(width))" \
            height="\(Self.number(height))">\(shapes.joined())</svg>
            """
    }

    private var words: String {
        boxes.map { box in "\(box.name) (\(box.properties.map(\.name).joined(separator: ", ")))" }
            .joined(separator: "; ")
    }

    private static func shape(_ box: Box) -> String {
        let (x, y) = (number(box.x), number(box.y))
        let corner = 9.0
        // The header is rounded at the top only.
        let side = number(header - corner)
        let head = "M\(x) \(number(box.y + header))v-\(side)q0-9 9-9h\(number(width - 2 * corner))q9 0 9 9v\(side)z"
        var svg = """
            <g><rect class="m-box" x="\(x)" y="\(y)" width="\(number(width))" height="\(number(box.height))" rx="9"/>\
            <path class="m-head" d="\(head)"/>\
            <text class="m-name\(box.entity.isAbstract ? " m-abstract" : "")" x="\(number(box.x + 12))" \
            y="\(number(box.y + 20))">\(escaped(box.name))</text>
            """
        if box.entity.isAbstract {
            svg += textAtEnd("abstract", box, y: box.y + 20)
        }
        for property in box.properties {
            let baseline = box.middle(property.name) + 4
            let style = property is NSAttributeDescription ? "m-attribute" : "m-relationship"
            svg += """
                <text class="\(style)" x="\(number(box.x + 12))" y="\(number(baseline))">\(escaped(property.name))</text>
                """
            svg += textAtEnd(kind(property), box, y: baseline)
        }
        return svg + "</g>"
    }

    private static func textAtEnd(_ words: String, _ box: Box, y: Double) -> String {
        """
        <text class="m-type" x="\(number(box.x + width - 12))" y="\(number(y))" text-anchor="end">\(escaped(words))</text>
        """
    }

    private static func kind(_ property: NSPropertyDescription) -> String {
        switch property {
        case let attribute as NSAttributeDescription:
            let type =
                switch attribute.attributeType {
                case .integer16AttributeType: "Integer 16"
                case .integer32AttributeType: "Integer 32"
                case .integer64AttributeType: "Integer 64"
                case .floatAttributeType: "Float"
                case .doubleAttributeType: "Double"
                case .decimalAttributeType: "Decimal"
                case .booleanAttributeType: "Boolean"
                case .dateAttributeType: "Date"
                case .stringAttributeType: "String"
                case .binaryDataAttributeType: attribute.allowsExternalBinaryDataStorage ? "Binary, external" : "Binary"
                default: ""
                }
            return attribute.isTransient ? "\(type), transient" : type
        case let relationship as NSRelationshipDescription:
            return relationship.deleteRule == .cascadeDeleteRule ? "cascade" : ""
        default: return "fetched"
        }
    }

    private var lines: [String] {
        var lines: [String] = []
        for box in boxes {
            for case let relationship as NSRelationshipDescription in box.properties {
                guard let inverse = relationship.inverseRelationship,
                    let destinationBox = boxes.first(where: { $0.name == relationship.destinationEntity?.name }),
                    // Each pair once, from the column at the left.
                    (box.column, box.name, relationship.name) < (
                        destinationBox.column, destinationBox.name, inverse.name
                    )
                else { continue }
                lines.append(Self.line(relationship, box, inverse, destinationBox))
            }
            if let parent = boxes.first(where: { $0.name == box.entity.superentity?.name }) {
                lines.append(Self.inheritance(from: box, to: parent))
            }
        }
        return lines
    }

    private static func line(
        _ relationship: NSRelationshipDescription,
        _ left: Box,
        _ inverse: NSRelationshipDescription,
        _ right: Box
    ) -> String {
        let start = (x: left.x + width, y: left.middle(relationship.name))
        let isSameColumn = left.column == right.column
        let end = (x: isSameColumn ? right.x + width : right.x, y: right.middle(inverse.name))
        let bend = isSameColumn ? 40.0 : (end.x - start.x) / 2
        let side = isSameColumn ? 1.0 : -1.0
        let curve = path([start, (start.x + bend, start.y), (end.x + side * bend, end.y), end])
        let feet = foot(start, 1, isMany: inverse.isToMany) + foot(end, side, isMany: relationship.isToMany)
        return "<path class=\"m-line\" d=\"\(curve)\(feet)\"/>"
    }

    /// The end of a line: three toes for many objects, a bar for one.
    private static func foot(_ end: (x: Double, y: Double), _ side: Double, isMany: Bool) -> String {
        let away = number(end.x + side * 12)
        guard isMany else { return "M\(number(end.x + side * 8)) \(number(end.y - 6))v12" }
        return "M\(number(end.x)) \(number(end.y - 7))L\(away) \(number(end.y))L\(number(end.x)) \(number(end.y + 7))"
    }

    private static func inheritance(from box: Box, to parent: Box) -> String {
        let start = (x: box.x + width, y: box.y + header / 2)
        let end = (x: parent.x, y: parent.y + header / 2)
        let bend = (end.x - start.x) / 2
        let curve = path([start, (start.x + bend, start.y), (end.x - bend, end.y), (end.x - 12, end.y)])
        let arrow = "M\(number(end.x - 12)) \(number(end.y - 7))l12 7l-12 7z"
        return "<path class=\"m-line m-inherits\" d=\"\(curve)\"/><path class=\"m-arrow\" d=\"\(arrow)\"/>"
    }

    /// A curve with two control points.
    private static func path(_ points: [(x: Double, y: Double)]) -> String {
        let texts = points.map { "\(number($0.x)) \(number($0.y))" }
        return "M\(texts[0])C\(texts.dropFirst().joined(separator: " "))"
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : String((value * 10).rounded() / 10)
    }

    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: "\"", with: "&quot;")
    }
}
