// The order and the sections of a list.
import GraphPredicates

/// The rules by which a list is arranged.
struct ListRules {
    /// The name of an object's section; nil for a list of one section.
    var sectionName: ((NSManagedObject) -> String)?
    /// The values an object is sorted by.
    var sortKeys: (NSManagedObject) -> [EvaluatedValue]
    /// The order of two objects by their values.
    var areInOrder: ([EvaluatedValue], [EvaluatedValue]) -> Bool
}
