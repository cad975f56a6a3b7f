// A key path of to-one relationships and an attribute, followed from slot to slot: the result of key-value coding,
// without boxing and name lookups. Used by ResultsConfiguration for section names and by SortOrder for sort keys; runs
// on the context's queue only.
import Foundation
import GraphModel
import GraphPredicates

/// Reads the values at the end of a key path.
final class ValuePath {
    /// One key, with its slot in the layout that was looked up last.
    private struct Step {
        let key: String
        let isLast: Bool
        /// The number of the slot's layout; 0 for none.
        var layout: UInt32 = 0
        /// -1 if the value must be read by key-value coding.
        var slot = -1
        var type = AttributeType.undefined
    }

    private let keyPath: String
    private var steps: ContiguousArray<Step>

    init(_ keyPath: String) {
        self.keyPath = keyPath
        let keys = keyPath.split(separator: ".").map(String.init)
        steps = ContiguousArray(keys.indices.map { Step(key: keys[$0], isLast: $0 == keys.count - 1) })
    }

    /// The value as predicates and sort descriptors evaluate it.
    func evaluated(of object: NSManagedObject) -> EvaluatedValue {
        guard let (value, type) = cell(of: object) else { return EvaluatedValue(object.value(forKeyPath: keyPath)) }
        switch value {
        case .null, .absent: return .null
        case .string(let text): return .text(text)
        case .integer(let number): return .integer(type == .boolean ? (number != 0 ? 1 : 0) : number)
        case .real(let number):
            switch type {
            case .date: return .date(Date(timeIntervalSinceReferenceDate: number))
            case .float: return .real(Double(Float(number)))
            default: return .real(number)
            }
        case .uuid(let uuid): return .uuid(uuid)
        default: return EvaluatedValue(object.value(forKeyPath: keyPath))
        }
    }

    /// The value as the name of a section.
    func sectionName(of object: NSManagedObject) -> String {
        guard let (value, type) = cell(of: object) else {
            return SectionName.text(of: object.value(forKeyPath: keyPath))
        }
        switch value {
        case .null, .absent: return ""
        case .string(let text): return text
        case .integer(let number): return type == .boolean ? (number != 0 ? "1" : "0") : String(number)
        default: return SectionName.text(of: object.value(forKeyPath: keyPath))
        }
    }

    /// The value in the slot at the end of the path, null if a relationship on the way is nil; nil if a class computes
    /// a value on the way, or if the value is not a simple one.
    private func cell(of object: NSManagedObject) -> (value: Value, type: AttributeType)? {
        var object = object
        for index in steps.indices {
            if steps[index].layout != object.layout.number { find(index, in: object.layout) }
            let slot = steps[index].slot
            guard slot >= 0 else { return nil }
            if steps[index].isLast { return (object.currentValue(slot), steps[index].type) }
            guard let next = object.toOneObject(slot) else { return (.null, .undefined) }
            object = next
        }
        return nil
    }

    private func find(_ index: Int, in layout: ObjectLayout) {
        let key = steps[index].key
        steps[index].layout = layout.number
        steps[index].slot = -1
        guard !layout.answersEveryKey, layout.computed[key] == nil, let slot = layout.slot(named: key) else { return }
        let description = layout.slots[slot]
        if steps[index].isLast {
            guard description.kind == .attribute else { return }
            switch description.type {
            case .integer16, .integer32, .integer64, .boolean, .double, .float, .date, .string, .uuid: break
            default: return
            }
            steps[index].type = description.type
        } else if description.kind != .toOne {
            return
        }
        steps[index].slot = slot
    }
}
