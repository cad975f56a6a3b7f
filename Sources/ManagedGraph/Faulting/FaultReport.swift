// The report of objects that are read one by one. Made when a fault fires (NSManagedObjectContext+Faulting).
// FaultReports logs it once for each place and relationship; with the policy `throw` the next call that can throw
// throws it, once for each fetch.
import Foundation

/// Objects of one origin that were read one by one.
struct FaultReport {
    let walk: FaultWalk
    /// The entity of the objects whose relationship, or whose values, were read.
    let entity: String
    let place: String?

    /// The key of reports that are logged only once; nil if the place is unknown.
    var identity: String? { place.map { "\($0) \(walk.path) \(walk.name.isEmpty)" } }

    private var objects: String {
        let at = place.map { " at \($0)" } ?? ""
        let source =
            switch walk.source.kind {
            case .fetch: "fetched\(at)"
            case .identifiers: "that object(with:) returned\(at)"
            case .unknown: ""
            }
        let count = "\(walk.firings) objects of \(entity)"
        if walk.start.isEmpty { return source.isEmpty ? count : "\(count) \(source)" }
        let first = source.isEmpty ? "others" : "those \(source)"
        return "\(count), reached by \(walk.start) from \(first),"
    }

    /// The event, without a full stop.
    private var event: String {
        "\(objects) had their \(walk.name.isEmpty ? "values" : "relationship \(walk.name)") read one by one"
    }

    private var cure: String {
        let cure: String
        if walk.name.isEmpty {
            cure = walk.start.isEmpty ? walk.source.cureOfValues : Self.prefetching(walk.start, walk.source.kind)
        } else {
            cure = Self.prefetching(walk.path, walk.source.kind)
        }
        return "\(cure), or faultingPolicy = .automatic."
    }

    private static func prefetching(_ path: String, _ kind: FaultSource.Kind) -> String {
        let request = kind == .fetch ? "the request" : "a request that fetches them"
        return "set relationshipKeyPathsForPrefetching = [\"\(path)\"] on \(request)"
    }

    var text: String { "\(event): \(cure)" }

    var error: NSError {
        CoreDataError.make(
            NSCoreDataError,
            "\(event).",
            remedy: cure.prefix(1).uppercased() + cure.dropFirst()
        )
    }
}

extension NSManagedObjectContext {
    /// Objects of one origin that may be read one by one without a report.
    private static let toleratedFirings = 10

    /// Counts an object that was read alone, and reports the eleventh.
    ///
    /// - Parameters:
    ///   - walk: The relationship or values that were read.
    ///   - entity: The entity of the object that it belongs to.
    final func noteFiring(_ walk: FaultWalk, entity: String) {
        walk.firings += 1
        guard registry.faultingPolicy.reports, registry.servedPolicy?.reports != true, !walk.isReported,
            walk.firings > Self.toleratedFirings
        else { return }
        walk.isReported = true
        let report = FaultReport(walk: walk, entity: entity, place: walk.source.place?.text)
        registry.faultReports.report(report)
        if registry.faultingPolicy == .throw { registry.failedReads.waiting = report.error }
    }
}

extension NSManagedObjectContext {
    /// Runs a child's reading of one object: only one of the two contexts reports it, and it throws no report.
    final func serving<R>(_ child: NSManagedObjectContext, _ body: () throws -> R) rethrows -> R {
        let outer = registry.servedPolicy
        registry.servedPolicy = child.registry.faultingPolicy
        defer { registry.servedPolicy = outer }
        return try body()
    }
}
