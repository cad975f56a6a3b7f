// Caches the trees of formats: a program fetches with the same few formats again and again, and only their arguments
// differ. Used by PredicateParser.

import Foundation
import Synchronization

/// A cache of the trees of formats, with holes for arguments.
final class FormatTrees: Sendable {
    static let shared = FormatTrees()
    /// The maximum number of cached formats; beyond it the cache is cleared.
    private static let limit = 256
    /// The maximum length of a cached format in bytes: longer ones are mostly used once.
    private static let longest = 512

    /// A tree and the number of arguments that it requires.
    struct Template: @unchecked Sendable {
        // Unchecked: the tree of a format contains only texts, numbers and holes.
        let node: PredicateNode
        /// The number of arguments that the format requires.
        let needed: Int
    }

    private struct Entry: Sendable {
        /// The arguments of `%K`, which are part of the tree.
        var keyIndexes: [Int] = []
        /// The templates by the texts of these arguments.
        var templates: [[ExactText]: Template] = [:]
        /// Whether the tree depends on the values of other arguments.
        var isDependent = false
    }

    private struct Entries: Sendable {
        var byFormat: [ExactText: Entry] = [:]
        /// The format asked for last, with its entry: a loop asks for one again and again.
        var last: (format: ExactText, entry: Entry)?

        mutating func entry(of format: ExactText) -> Entry? {
            if let last, last.format == format { return last.entry }
            guard let entry = byFormat[format] else { return nil }
            last = (format, entry)
            return entry
        }

        mutating func set(_ entry: Entry, of format: ExactText) {
            last = nil
            if byFormat.count >= FormatTrees.limit { byFormat = [:] }
            byFormat[format] = entry
        }
    }

    private let entries = Mutex(Entries())

    /// The number of cached formats; for tests.
    var count: Int { entries.withLock(\.byFormat.count) }

    /// The result of a lookup.
    enum Answer {
        case predicate(PredicateNode)
        /// The format must be parsed and can be cached.
        case unknown
        /// The format must be parsed each time, as its tree contains arguments.
        case dependent
    }

    /// The predicate of a format with these arguments, if it is cached.
    func predicate(_ format: String, _ arguments: [Any?]) -> Answer {
        guard format.utf8.count <= Self.longest else { return .dependent }
        guard let entry = entries.withLock({ $0.entry(of: ExactText(format)) }) else { return .unknown }
        guard !entry.isDependent, let keys = Self.keys(entry.keyIndexes, arguments) else { return .dependent }
        guard let template = entry.templates[keys] else { return .unknown }
        guard template.needed <= arguments.count, let node = template.node.filled(arguments) else { return .dependent }
        return .predicate(node)
    }

    /// Parses a format without the values of its arguments, and caches the tree if it does not depend on them.
    func note(_ format: String, _ arguments: [Any?], _ read: (inout [Int], inout Int) throws -> PredicateNode) {
        var entry = entries.withLock { $0.entry(of: ExactText(format)) } ?? Entry()
        do {
            var keyIndexes: [Int] = []
            var needed = 0
            let node = try read(&keyIndexes, &needed)
            entry.keyIndexes = keyIndexes
            if let keys = Self.keys(keyIndexes, arguments) {
                // Keys from untrusted input may be numerous.
                if entry.templates.count >= 64 { entry.templates = [:] }
                entry.templates[keys] = Template(node: node, needed: needed)
            } else {
                entry.isDependent = true
            }
        } catch {
            entry.isDependent = true
        }
        let noted = entry
        entries.withLock { $0.set(noted, of: ExactText(format)) }
    }

    private static func keys(_ indexes: [Int], _ arguments: [Any?]) -> [ExactText]? {
        if indexes.isEmpty { return [] }
        var keys: [ExactText] = []
        for index in indexes {
            guard index < arguments.count, let key = arguments[index] as? String else { return nil }
            keys.append(ExactText(key))
        }
        return keys
    }
}

extension PredicateNode {
    /// Fills the holes of the tree with arguments; nil if one of them is not a plain value.
    fileprivate func filled(_ arguments: [Any?]) -> PredicateNode? {
        switch self {
        case .constant: return self
        case .comparison(var node):
            guard let left = node.left.filled(arguments), let right = node.right.filled(arguments) else { return nil }
            (node.left, node.right) = (left, right)
            return .comparison(node)
        case .and(let nodes): return Self.filled(nodes, arguments).map { .and($0) }
        case .or(let nodes): return Self.filled(nodes, arguments).map { .or($0) }
        case .not(let node): return node.filled(arguments).map { .not($0) }
        case .block: return nil
        }
    }

    private static func filled(_ nodes: [PredicateNode], _ arguments: [Any?]) -> [PredicateNode]? {
        var result: [PredicateNode] = []
        result.reserveCapacity(nodes.count)
        for node in nodes {
            guard let filled = node.filled(arguments) else { return nil }
            result.append(filled)
        }
        return result
    }
}

extension ExpressionNode {
    fileprivate func filled(_ arguments: [Any?]) -> ExpressionNode? {
        switch self {
        case .constant(let hole as FormatHole):
            let node = PredicateParser.node(of: hole.value(arguments))
            if case .constant = node { return node }
            return nil
        case .constant, .evaluatedObject, .keyPath, .anyKey, .variable, .symbolicIndex: return self
        default:
            var isPlain = true
            let mapped = mapped(
                PredicateMapping(constant: { value in
                    guard let hole = value as? FormatHole else { return value }
                    if case .constant(let value) = PredicateParser.node(of: hole.value(arguments)) { return value }
                    isPlain = false
                    return nil
                })
            )
            return isPlain ? mapped : nil
        }
    }
}
