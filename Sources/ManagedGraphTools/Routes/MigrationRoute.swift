// The way from a store's version to another one: one step where that can be done, else over versions between them. Found
// by comparing versions only; the store is not read.
import Foundation
import GraphModel
import GraphModelFiles
import ManagedGraph

/// One step of a route.
package struct MigrationHop: Sendable {
    /// How the step is done.
    package enum Means: Sendable {
        /// In SQL, by what can be inferred.
        case inferred(ModelMapping)
        /// Object by object, by a mapping model.
        case mapping(NamedMapping)
    }

    package var source: MigrationVersion
    package var destination: MigrationVersion
    package var means: Means
}

/// The steps from one version to another.
package struct MigrationRoute: Sendable {
    /// None where the versions' hashes are the same.
    package var hops: [MigrationHop]

    /// Why there is no way.
    package struct Impasse: Error, Sendable {
        package var source: MigrationVersion
        package var destination: MigrationVersion
        /// What stands in the way of inferring one step.
        package var problems: [MappingProblems.Problem]
    }

    /// Finds the way with the fewest steps that leaves out no mapping model: somebody wrote it because inferring would not do.
    ///
    /// No inferred step leads back to an older version, unless that is the version to go to. Of a store whose version is none
    /// of the model's, the order is unknown: an inferred step from it to a version in between drops nothing.
    ///
    /// O(n²) inferences for n versions between the two, and only one where nothing else is needed.
    ///
    /// - Parameters:
    ///   - source: The store's version.
    ///   - versions: The versions and mapping models, and where to go.
    /// - Returns: The way; without steps where both versions' hashes are the same.
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
        /// The source, the versions between, the destination.
        private let places: [MigrationVersion]
        /// Each place's model with its hashes, which are computed once.
        private let models: [HashedModel]
        /// Whether the source is one of the versions, so that those between are newer ones.
        private let isKnown: Bool
        /// Mapping models by the places that they lead from and to.
        private var mappings: [Edge: NamedMapping] = [:]

        private struct Edge: Hashable {
            let from: Int
            let to: Int
        }

        /// A way to a place.
        private struct Way {
            var hops: [MigrationHop] = []
            /// Mapping models that were left out, then steps.
            var cost = (skipped: 0, steps: 0)
        }

        init(_ source: MigrationVersion, _ versions: MigrationVersions) {
            let old = HashedModel(source.model)
            let all = versions.versions.map { ($0, HashedModel($0.model)) }
            let end = all.firstIndex { $0.0.name == versions.destination.name } ?? all.endIndex
            // Of several versions with the same hashes, as after a change that was taken back, the newest: the steps that led
            // from the older one to it must not be gone again.
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

        /// Whether source and destination have the same hashes.
        var isThere: Bool { models.first?.hashes == models.last?.hashes }

        func best() -> [MigrationHop]? {
            let last = places.count - 1
            // The common case needs one inference.
            if mappings.isEmpty, let hop = hop(0, last) { return [hop] }
            var ways: [Way?] = Array(repeating: nil, count: places.count)
            ways[0] = Way()
            for to in 1...last {
                for from in 0..<to {
                    guard let way = ways[from] else { continue }
                    let skipped = way.cost.skipped + skipped(from, to)
                    let cost = (skipped: skipped, steps: way.cost.steps + 1)
                    if let known = ways[to], known.cost <= cost { continue }
                    guard let hop = hop(from, to) else { continue }
                    ways[to] = Way(hops: way.hops + [hop], cost: cost)
                }
            }
            return ways[last]?.hops
        }

        /// The mapping models that a step from one place to another leaves out.
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
            // What is dropped on the way to a version in between would not come back.
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
