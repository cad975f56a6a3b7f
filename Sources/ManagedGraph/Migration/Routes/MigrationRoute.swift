// The way from a store's version to another one: one step where that can be done, else over versions between them. Found
// by comparing versions only; the store is not read.
import Foundation
import GraphModel
import GraphModelFiles

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
    /// O(n²) inferences for n versions between the two, and only one where nothing else is needed.
    ///
    /// - Parameters:
    ///   - source: The store's version.
    ///   - versions: The versions and mapping models, and where to go.
    /// - Returns: The way; without steps where both versions' hashes are the same.
    /// - Throws: `Impasse`.
    package static func find(from source: MigrationVersion, in versions: MigrationVersions) throws -> MigrationRoute {
        let destination = versions.destination
        if source.model.versionHashes() == destination.model.versionHashes() { return MigrationRoute(hops: []) }
        var finder = Finder(source, versions)
        if let hops = finder.best() { return MigrationRoute(hops: hops) }
        throw Impasse(source: source, destination: destination, problems: finder.problems(source, destination))
    }

    /// The search over the versions between two.
    private struct Finder {
        /// The source, the versions between, the destination.
        private let places: [MigrationVersion]
        private let hashes: [[String: Data]]
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
            let wanted = source.model.versionHashes()
            let all = versions.versions
            let start = all.firstIndex { $0.model.versionHashes() == wanted }.map { $0 + 1 } ?? 0
            let end = all.firstIndex { $0.name == versions.destination.name } ?? all.endIndex
            let between = start < end ? Array(all[start..<end]) : []
            places = [source] + between + [versions.destination]
            hashes = places.map { $0.model.versionHashes() }
            for from in places.indices {
                for to in places.indices where to > from {
                    guard let mapping = versions.mappings.first(where: { $0.file.fits(hashes[from], hashes[to]) })
                    else {
                        continue
                    }
                    mappings[Edge(from: from, to: to)] = mapping
                }
            }
        }

        mutating func best() -> [MigrationHop]? {
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
            guard hashes[from] != hashes[to],
                let mapping = try? MappingInference.infer(from: source.model, to: destination.model)
            else { return nil }
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
