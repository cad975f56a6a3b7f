// The route from a store's version to another one: one step if possible, otherwise several over versions in between. It
// is found by comparing versions only; the store is not read.
import Foundation
import GraphModel
import GraphModelFiles
import ManagedGraph

/// The steps from one version to another.
package struct MigrationRoute: Sendable {
    /// Empty if the versions' hashes are equal.
    package var hops: [MigrationHop]

    /// The reason why there is no route.
    package struct Impasse: Error, Sendable {
        package var source: MigrationVersion
        package var destination: MigrationVersion
        /// The problems that prevent inferring a single step.
        package var problems: [MappingProblems.Problem]
    }

    /// Finds the route that skips the fewest mapping models and, among those, has the fewest steps.
    ///
    /// A mapping model exists because inference did not suffice.
    ///
    /// No inferred step leads back to an older version, unless that is the destination. If the store's version is not
    /// among the model's versions, its order is unknown: an inferred step from it to an intermediate version must drop
    /// nothing.
    ///
    /// O(n²) inferences for n versions between the two; one inference if a single step suffices.
    ///
    /// - Parameters:
    ///   - source: The store's version.
    ///   - versions: The versions and mapping models, including the destination.
    /// - Returns: The route; without steps if both versions' hashes are equal.
    /// - Throws: `Impasse`.
    package static func find(from source: MigrationVersion, in versions: MigrationVersions) throws -> MigrationRoute {
        let destination = versions.destination
        let finder = Finder(source, versions)
        if finder.isThere { return MigrationRoute(hops: []) }
        if let hops = finder.best() { return MigrationRoute(hops: hops) }
        throw Impasse(source: source, destination: destination, problems: finder.problems(source, destination))
    }

    /// The search over the versions between two.
    private struct Finder {
        /// The source, the versions in between, the destination.
        private let places: [MigrationVersion]
        /// The model of each place with its hashes, which are computed once.
        private let models: [HashedModel]
        /// Whether the source is one of the versions, so that those in between are newer.
        private let isKnown: Bool
        /// Mapping models by the places that they connect.
        private var mappings: [Edge: NamedMapping] = [:]

        private struct Edge: Hashable {
            let from: Int
            let to: Int
        }

        /// A partial route to a place.
        private struct Way {
            var hops: [MigrationHop] = []
            /// Compared in this order: the number of skipped mapping models, then the number of steps.
            var cost = (skipped: 0, steps: 0)
        }

        init(_ source: MigrationVersion, _ versions: MigrationVersions) {
            let old = HashedModel(source.model)
            let all = versions.versions.map { ($0, HashedModel($0.model)) }
            let end = all.firstIndex { $0.0.name == versions.destination.name } ?? all.endIndex
            // If several versions have the same hashes, as after a reverted change, start at the newest: the steps from
            // the older one to it must not be repeated.
            let same = all[..<end].lastIndex { $0.1.hashes == old.hashes }
            let isLater = same == nil && all[end...].contains { $0.1.hashes == old.hashes }
            let start = isLater ? end : same.map { $0 + 1 } ?? 0
            let new = end < all.endIndex ? all[end].1 : HashedModel(versions.destination.model)
            places = [source] + all[start..<end].map(\.0) + [versions.destination]
            models = [old] + all[start..<end].map(\.1) + [new]
            isKnown = same != nil || isLater
            for from in places.indices {
                for to in places.indices where to > from {
                    let (old, new) = (models[from].hashes, models[to].hashes)
                    mappings[Edge(from: from, to: to)] = versions.mappings.first { $0.file.fits(old, new) }
                }
            }
        }

        /// Whether source and destination have equal hashes.
        var isThere: Bool { models.first?.hashes == models.last?.hashes }

        func best() -> [MigrationHop]? {
            let last = places.count - 1
            // The common case needs only one inference.
            if mappings.isEmpty, let hop = hop(0, last) { return [hop] }
            var ways: [Way?] = Array(repeating: nil, count: places.count)
            ways[0] = Way()
            for to in 1...last {
                for from in 0..<to {
                    guard let way = ways[from] else { continue }
                    let skipped = way.cost.skipped + skipped(from, to)
                    let cost = (skipped: skipped, steps: way.cost.steps + 1)
                    if let shortest = ways[to], shortest.cost <= cost { continue }
                    guard let hop = hop(from, to) else { continue }
                    ways[to] = Way(hops: way.hops + [hop], cost: cost)
                }
            }
            return ways[last]?.hops
        }

        /// The number of mapping models that a step between two places skips.
        private func skipped(_ from: Int, _ to: Int) -> Int {
            if mappings[Edge(from: from, to: to)] != nil { return 0 }
            return mappings.keys.filter { $0.from >= from && $0.to <= to }.count
        }

        private func hop(_ from: Int, _ to: Int) -> MigrationHop? {
            let (source, destination) = (places[from], places[to])
            if let mapping = mappings[Edge(from: from, to: to)] {
                return MigrationHop(source: source, destination: destination, means: .mapping(mapping))
            }
            guard models[from].hashes != models[to].hashes,
                let mapping = try? MappingInference.infer(from: models[from], to: models[to])
            else { return nil }
            // Data dropped on the way to an intermediate version could not be restored.
            if from == 0, !isKnown, to < places.count - 1, mapping.drops(anythingOf: source.model) { return nil }
            return MigrationHop(source: source, destination: destination, means: .inferred(mapping))
        }

        func problems(_ source: MigrationVersion, _ destination: MigrationVersion) -> [MappingProblems.Problem] {
            do {
                _ = try MappingInference.infer(from: source.model, to: destination.model)
                return []
            } catch {
                return error.problems
            }
        }
    }
}
