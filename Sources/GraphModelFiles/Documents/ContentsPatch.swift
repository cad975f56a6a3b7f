// Applies the difference between two models to a file's elements and keeps everything else as written: other lines,
// unknown attributes, comments. Called by ModelDocument with both models in the form that ContentsWriter writes.

struct ContentsPatch {
    /// Applies the changes between two versions of an element.
    ///
    /// O(n) in the elements, O(n²) in the siblings of an added element.
    ///
    /// - Parameters:
    ///   - element: The element of the file.
    ///   - old: The element as written for the old model.
    ///   - new: The element as written for the new model.
    ///   - indentation: The space before the element, without the line break.
    static func apply(
        to element: inout ContentsElement,
        from old: ContentsElement,
        to new: ContentsElement,
        indentation: String
    ) {
        guard old != new else { return }
        for name in Set(old.attributes.map(\.name)).union(new.attributes.map(\.name)).sorted()
        where old[name] != new[name] {
            element.set(name, to: new[name])
        }
        let patch = ContentsPatch(old: keyed(old.elements), new: keyed(new.elements))
        patch.applyToChildren(of: &element, indentation: indentation)
    }

    /// Identifies an element among its siblings: its kind, its name, and its number among those with both equal.
    private struct Key: Hashable {
        var kind: String
        var name: String
        var number = 0
    }

    private typealias Keyed = [(key: Key, element: ContentsElement)]

    private let old: Keyed
    private let new: Keyed

    private static func keyed(_ elements: [ContentsElement]) -> Keyed {
        var counts: [Key: Int] = [:]
        return elements.map { element in
            var key = Key(kind: element.name, name: name(of: element))
            counts[key, default: 0] += 1
            key.number = counts[key, default: 1] - 1
            return (key, element)
        }
    }

    private static func name(of element: ContentsElement) -> String {
        switch element.name {
        case "uniquenessConstraint", "compoundIndex":
            element.elements.compactMap { $0["value"] }.joined(separator: ",")
        default:
            element["name"] ?? element["key"] ?? element["value"] ?? element["property"] ?? element["expression"] ?? ""
        }
    }

    private func applyToChildren(of element: inout ContentsElement, indentation: String) {
        let oldByKey = Dictionary(old.map { ($0.key, $0.element) }) { first, _ in first }
        let newByKey = Dictionary(new.map { ($0.key, $0.element) }) { first, _ in first }
        let renamed = renamings(oldByKey, newByKey)
        let inside = Self.indentation(inside: element) ?? indentation + ContentsText.step
        var present: [(key: Key, child: Int)] = []
        func find() {
            let places = element.children.indices.filter { element.children[$0].element != nil }
            present = zip(Self.keyed(element.elements), places).map { ($0.key, $1) }
        }
        find()
        // Back to front, so that indices stay valid.
        for (key, place) in present.reversed() {
            guard let was = oldByKey[key] else { continue }
            guard let now = newByKey[key] ?? renamed[key].flatMap({ newByKey[$0] }) else {
                Self.remove(place, from: &element)
                continue
            }
            if var child = element.children[place].element {
                Self.apply(to: &child, from: was, to: now, indentation: inside)
                element.children[place] = .element(child)
            }
        }
        find()
        var before: [Key] = []
        for (key, child) in new {
            if !present.contains(where: { $0.key == key }) {
                let place = insertionPlace(of: key, behind: before, among: present)
                Self.insert(child.laidOut(indentation: inside), behind: place, in: &element, inside, indentation)
                find()
            }
            before.append(key)
        }
        reorder(&element)
        if element.elements.isEmpty, element.children.allSatisfy(\.isBlank) {
            element.children = []
            element.endTag = nil
        }
    }

    /// Pairs elements with the same position among those of their kind but different names.
    ///
    /// They are kept, with the parts that the model does not represent.
    private func renamings(_ oldByKey: [Key: ContentsElement], _ newByKey: [Key: ContentsElement]) -> [Key: Key] {
        var result: [Key: Key] = [:]
        for kind in Set(old.map(\.key.kind)) {
            let (was, now) = (old.filter { $0.key.kind == kind }, new.filter { $0.key.kind == kind })
            guard was.count == now.count else { continue }
            for (former, current) in zip(was, now) where newByKey[former.key] == nil && oldByKey[current.key] == nil {
                result[former.key] = current.key
            }
        }
        return result
    }

    /// The child after which to insert a new one: the last preceding sibling of the model that is present, or the last
    /// of the kinds that Xcode writes earlier; nil for the first position.
    private func insertionPlace(of key: Key, behind before: [Key], among present: [(key: Key, child: Int)]) -> Int? {
        for neighbour in before.reversed() where neighbour.kind == key.kind {
            if let match = present.first(where: { $0.key == neighbour }) { return match.child }
        }
        let kinds = before.map(\.kind) + ContentsPatch.kinds(before: key.kind)
        return present.last { kinds.contains($0.key.kind) && $0.key.kind != key.kind }?.child
    }

    private static func kinds(before kind: String) -> [String] {
        for parent in ["model", "entity", "fetchedProperty"] {
            if let elements = ContentsOrder.elementsUpTo(kind, in: parent) {
                return elements.subtracting([kind]).sorted()
            }
        }
        return []
    }

    /// Reorders the elements of both models if the new model has another order.
    private func reorder(_ element: inout ContentsElement) {
        let common = Set(old.map(\.key)).intersection(new.map(\.key))
        let newOrder = new.map(\.key).filter(common.contains)
        guard newOrder != old.map(\.key).filter(common.contains) else { return }
        let places = element.children.indices.filter { element.children[$0].element != nil }
        let keys = Self.keyed(element.elements).map(\.key)
        let mine = zip(keys, places).filter { common.contains($0.0) }
        let byKey = Dictionary(mine.map { ($0.0, element.children[$0.1]) }) { first, _ in first }
        for (place, child) in zip(mine.map(\.1), newOrder.compactMap { byKey[$0] }) { element.children[place] = child }
    }

    // MARK: Lines

    /// The indentation of the child elements; nil if there are none, or if they are not on their own lines.
    private static func indentation(inside element: ContentsElement) -> String? {
        guard let place = element.children.firstIndex(where: { $0.element != nil }), place > 0,
            case .other(let space) = element.children[place - 1],
            let line = space.lastIndex(where: \.isNewline)
        else { return nil }
        return String(space[space.index(after: line)...])
    }

    /// Removes an element and the space before it.
    private static func remove(_ place: Int, from element: inout ContentsElement) {
        element.children.remove(at: place)
        if place > 0, element.children[place - 1].isBlank { element.children.remove(at: place - 1) }
    }

    private static func insert(
        _ child: ContentsElement,
        behind place: Int?,
        in element: inout ContentsElement,
        _ inside: String,
        _ indentation: String
    ) {
        let isFirst = element.elements.isEmpty
        if isFirst, element.children.allSatisfy(\.isBlank) {
            element.children = [.other("\n" + inside), .element(child), .other("\n" + indentation)]
            element.endTag = element.endTag.flatMap { $0.isEmpty ? nil : $0 } ?? "</\(element.name)>"
            return
        }
        // Follow the neighbors: on a line of its own, or not.
        let first = element.children.firstIndex { $0.element != nil } ?? 0
        let space = first > 0 && element.children[first - 1].isBlank ? [element.children[first - 1]] : []
        if let place {
            element.children.insert(contentsOf: space + [.element(child)], at: place + 1)
        } else {
            element.children.insert(contentsOf: [.element(child)] + space, at: first)
        }
    }
}
