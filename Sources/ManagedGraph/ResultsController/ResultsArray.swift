// The objects of a list in one array, for the `fetchedObjects` of a results controller. Built once, then edited in
// place after each change. Owned by the controller; arrays returned earlier do not change.

/// An array that mirrors a list.
final class ResultsArray<Element> {
    private weak var list: SectionedList?
    private var revision = 0
    private var elements: [Element] = []
    private let convert: (NSManagedObject) -> Element?
    private let convertAll: ([NSManagedObject]) -> [Element]

    /// Creates an array that omits objects of other types.
    init() {
        // The fetch has checked the classes, so the cast can be unchecked.
        if Element.self is AnyObject.Type {
            convert = { unsafeBitCast($0, to: Element.self) }
            convertAll = { unsafeBitCast($0, to: [Element].self) }
        } else {
            convert = { $0 as? Element }
            convertAll = { $0.compactMap { $0 as? Element } }
        }
    }

    /// The objects of a list in order.
    ///
    /// O(n) on first access and after large changes. After a small change, only the elements between the old and the
    /// new position move.
    func elements(of list: SectionedList) -> [Element] {
        if self.list === list {
            if list.edits.revision == revision { return elements }
            if let edits = list.edits.since(revision), edits.allSatisfy(apply) {
                revision = list.edits.revision
                return elements
            }
        }
        elements = convertAll(list.objects)
        self.list = list
        list.edits.isRead = true
        revision = list.edits.revision
        return elements
    }

    /// Applies an edit; returns false if it does not fit the array.
    private func apply(_ edit: ArrayEdit) -> Bool {
        let new = edit.insertions.compactMap { convert($0.object) }
        guard new.count == edit.insertions.count, (edit.removals.last ?? -1) < elements.count else { return false }
        if edit.removals.count == 1, new.count == 1 {
            guard edit.insertions[0].index < elements.count else { return false }
            replace(edit.removals[0], by: new[0], at: edit.insertions[0].index)
            return true
        }
        for index in edit.removals.reversed() { elements.remove(at: index) }
        for (element, insertion) in zip(new, edit.insertions) {
            guard insertion.index <= elements.count else { return false }
            elements.insert(element, at: insertion.index)
        }
        return true
    }

    /// Removes one element and inserts another; the elements between the two positions shift by one.
    private func replace(_ from: Int, by element: Element, at to: Int) {
        elements.withUnsafeMutableBufferPointer { buffer in
            guard let first = buffer.baseAddress else { return }
            (first + from).deinitialize(count: 1)
            if from < to {
                (first + from).moveInitialize(from: first + from + 1, count: to - from)
            } else {
                (first + to + 1).moveInitialize(from: first + to, count: from - to)
            }
            (first + to).initialize(to: element)
        }
    }
}
