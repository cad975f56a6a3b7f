// Finds relationships that fire row by row (N+1) among the statements beneath a container. A statement names the object
// or relationship that was read; the model gives the key path to it from the fetched objects.
import CoreData
import Foundation
import Synchronization
import WebSupport

final class RowByRowGuard: Sendable {
    /// The number of statements in a row from which on a warning is given.
    static let threshold = 5
    /// The maximum length of a key path to prefetch.
    private static let pathLimit = 3

    /// The statements of one context since its last fetch.
    private struct Walk {
        var fetched = ""
        /// The statements so far, by the property that they read.
        var warnings: [String: RowByRowWarning] = [:]
    }

    private let walks = Mutex<[ObjectIdentifier: Walk]>([:])
    private let model: NSManagedObjectModel

    init(_ model: NSManagedObjectModel) {
        self.model = model
    }

    /// Returns the entries with a warning after the last statement of each relationship that fires row by row.
    func digest(_ entries: [LiveEntry]) -> [LiveEntry] {
        var changed: [String: RowByRowWarning] = [:]
        walks.withLock { walks in
            if walks.count > 200 { walks = [:] }
            for case .activity(.statement(let statement), _) in entries {
                guard let context = statement.context else { continue }
                var walk = walks[context.id] ?? Walk()
                if let warning = note(statement, context, in: &walk), warning.count >= Self.threshold {
                    changed[warning.key] = warning
                }
                walks[context.id] = walk
            }
        }
        let warnings = changed.values.sorted { $0.key < $1.key }.map { LiveEntry.warning($0, at: Date()) }
        return entries + warnings
    }

    private func note(_ statement: StoreActivity.Statement, _ context: StoreActivity.Context, in walk: inout Walk)
        -> RowByRowWarning?
    {
        let entity: String
        let property: String
        switch statement.cause {
        case .fetch(let fetched, _):
            walk = Walk(fetched: fetched)
            return nil
        case .fault(let name, _): (entity, property) = (name, "")
        case .relationshipFault(let name, let relationship, _): (entity, property) = (name, relationship)
        default: return nil
        }
        let key = "\(entity).\(property)"
        var warning =
            walk.warnings[key]
            ?? RowByRowWarning(
                entity: entity,
                property: property,
                fetched: walk.fetched,
                path: path(from: walk.fetched, to: entity, property),
                context: context.name ?? "",
                count: 0,
                time: 0
            )
        warning.count += 1
        warning.time += statement.duration.microseconds
        walk.warnings[key] = warning
        return warning
    }

    /// The shortest key path from a fetched entity to the rows; empty if there is none.
    private func path(from fetched: String, to entity: String, _ property: String) -> String {
        guard let start = model.entitiesByName[fetched], let end = model.entitiesByName[entity] else { return "" }
        if !property.isEmpty, start.isKindOf(entity: end) || end.isKindOf(entity: start) { return property }
        var seen: Set<String> = [fetched]
        var front: [(entity: NSEntityDescription, path: [String])] = [(start, [])]
        for _ in 0..<Self.pathLimit {
            var next: [(entity: NSEntityDescription, path: [String])] = []
            for (entity, path) in front {
                for (name, relationship) in entity.relationshipsByName.sorted(by: { $0.key < $1.key }) {
                    guard let destination = relationship.destinationEntity else { continue }
                    let longer = path + [name]
                    if destination.isKindOf(entity: end) || end.isKindOf(entity: destination) {
                        return (longer + (property.isEmpty ? [] : [property])).joined(separator: ".")
                    }
                    if seen.insert(destination.name ?? "").inserted { next.append((destination, longer)) }
                }
            }
            front = next
        }
        return ""
    }
}
