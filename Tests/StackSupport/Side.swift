// One side of a relationship in the compact form of test models.
import Foundation
import ManagedGraph
import Testing

/// One side of a relationship.
struct Side {
    let entity: String
    let name: String
    var isToMany = false
    var isOrdered = false
    var rule = NSDeleteRule.nullifyDeleteRule
    var minimum = 0
    var maximum = 0
    var isOptional = true

    /// Creates a side from `Entity.name`.
    static func one(_ path: String, _ rule: NSDeleteRule = .nullifyDeleteRule, optional: Bool = true) -> Side {
        let parts = path.split(separator: ".").map(String.init)
        return Side(entity: parts[0], name: parts[1], rule: rule, isOptional: optional)
    }

    static func many(
        _ path: String,
        _ rule: NSDeleteRule = .nullifyDeleteRule,
        ordered: Bool = false,
        minimum: Int = 0,
        maximum: Int = 0,
        optional: Bool = true
    ) -> Side {
        var side = one(path, rule, optional: optional)
        side.isToMany = true
        side.isOrdered = ordered
        side.minimum = minimum
        side.maximum = maximum
        return side
    }
}
