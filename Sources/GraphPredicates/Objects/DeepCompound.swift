// Foundation's compounds that are nested too deep for recursion, as code creates them that adds one condition after the
// other. Called by NSPredicate+Node only.

import Foundation

enum DeepCompound {
    /// A compound whose parts are being converted.
    private struct Level {
        let type: NSCompoundPredicate.LogicalType
        let subpredicates: [NSPredicate]
        var next = 0
        var parts: CompoundParts

        init(_ compound: NSCompoundPredicate) {
            type = compound.compoundPredicateType
            subpredicates = compound.subpredicates
            parts = CompoundParts(type == .or ? .or : .and, flattening: true)
        }

        var result: CompoundPart {
            let part = parts.result ?? .node(.constant(type != .or), height: 1)
            return type == .not ? part.negated(flattening: true) : part
        }
    }

    /// The tree of a predicate, with nested compounds of one kind flattened; a block if it is still too high.
    static func node(of predicate: NSPredicate) -> PredicateNode {
        var levels: [Level] = []
        var part = begin(predicate, &levels)
        while !levels.isEmpty {
            let last = levels.count - 1
            if let finished = part { levels[last].parts.append(finished) }
            if levels[last].next < levels[last].subpredicates.count {
                let next = levels[last].subpredicates[levels[last].next]
                levels[last].next += 1
                part = begin(next, &levels)
            } else {
                part = levels.removeLast().result
            }
        }
        guard let part, part.height <= PredicateParser.maximumHeight else { return refused(predicate) }
        return part.node
    }

    /// The tree of a predicate that is not a compound; for a compound, pushes a level and returns nil.
    private static func begin(_ predicate: NSPredicate, _ levels: inout [Level]) -> CompoundPart? {
        if let node = predicate.singleNode { return .node(node, height: node.compoundHeight) }
        if let compound = predicate as? NSCompoundPredicate { levels.append(Level(compound)) }
        return nil
    }

    private static func refused(_ predicate: NSPredicate) -> PredicateNode {
        let refusal = UnconvertiblePredicate(
            form: "A predicate of ANDs, ORs and NOTs nested more than \(PredicateParser.maximumHeight) levels deep",
            alternative: "Nest less: any number of conditions can be joined by one AND or OR",
            subject: "NSCompoundPredicate"
        )
        let block = PredicateBlock(refusal: refusal) { object, variables in
            evaluate(predicate, object, variables)
        }
        return .block(block)
    }

    // MARK: - Evaluation

    /// Evaluates a predicate without recursion; a compound by its parts, even if its class overrides the evaluation.
    static func evaluate(_ predicate: NSPredicate, _ object: Any?, _ variables: [String: Any]?) -> Bool {
        var levels: [(type: NSCompoundPredicate.LogicalType, subpredicates: [NSPredicate], next: Int)] = []
        var current = predicate
        var isOutermost = true
        while true {
            var answer: Bool?
            while answer == nil {
                guard let compound = current as? NSCompoundPredicate,
                    isOutermost || FoundationPredicates.isPlainCompound(type(of: compound))
                else {
                    answer = current.evaluate(with: object, substitutionVariables: variables)
                    continue
                }
                isOutermost = false
                if let first = compound.subpredicates.first {
                    levels.append((compound.compoundPredicateType, compound.subpredicates, 1))
                    current = first
                } else {
                    answer = compound.compoundPredicateType != .or
                }
            }
            var value = answer ?? false
            while true {
                guard let level = levels.last else { return value }
                if level.type == .not { value.toggle() }
                let isDecided = level.type == .not || value == (level.type == .or)
                if !isDecided, level.next < level.subpredicates.count {
                    levels[levels.count - 1].next += 1
                    current = level.subpredicates[level.next]
                    break
                }
                levels.removeLast()
            }
        }
    }
}

extension PredicateNode {
    /// The height of the tree of predicates.
    package var compoundHeight: Int {
        switch self {
        case .constant, .comparison, .block: 1
        case .and(let nodes), .or(let nodes): nodes.reduce(0) { max($0, $1.compoundHeight) } + 1
        case .not(let node): node.compoundHeight + 1
        }
    }
}
