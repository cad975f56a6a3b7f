// The versions that the stages of a staged migration lead through, in their order. Made from the stages' checksums
// alone; it looks up no models.
import Foundation
import GraphModel

/// The total order of versions, and which stage leads from one to the next.
struct StageChain {
    struct Version {
        let checksum: String
        var reference: NSManagedObjectModelReference?
    }

    private(set) var versions: [Version] = []
    /// Custom stages by the index of the version that they begin with.
    private(set) var customs: [Int: NSCustomMigrationStage] = [:]
    /// The stages that list each version, by its index; the last one.
    private(set) var stages: [Int: NSMigrationStage] = [:]

    /// Puts the versions of the stages in order.
    ///
    /// Throws 134506 if a version comes twice, 134140 if a custom stage does not begin with the version that the
    /// custom stage before it ends with.
    init(_ allStages: [NSMigrationStage], _ url: URL) throws {
        var last: NSMigrationStage?
        for stage in allStages {
            switch stage {
            case let stage as NSLightweightMigrationStage:
                for checksum in stage.versionChecksums { try add(checksum, nil, stage, url) }
            case let stage as NSCustomMigrationStage:
                let joins = versions.last?.checksum == stage.currentModel.versionChecksum
                if let last, last is NSCustomMigrationStage, !joins {
                    throw CoreDataError.brokenChain(url, last, stage)
                }
                try add(stage.currentModel.versionChecksum, stage.currentModel, stage, url)
                customs[versions.count - 1] = stage
                try add(stage.nextModel.versionChecksum, stage.nextModel, stage, url)
            default: continue
            }
            last = stage
        }
    }

    /// Appends a version; one that the stage before ended with is the same.
    private mutating func add(
        _ checksum: String,
        _ reference: NSManagedObjectModelReference?,
        _ stage: NSMigrationStage,
        _ url: URL
    ) throws {
        if let index = versions.indices.last, versions[index].checksum == checksum, stages[index] !== stage {
            versions[index].reference = versions[index].reference ?? reference
            stages[index] = stage
            return
        }
        guard !versions.contains(where: { $0.checksum == checksum }) else {
            throw CoreDataError.backwardMigration(url, "the version \(checksum) occurs twice among the stages")
        }
        versions.append(Version(checksum: checksum, reference: reference))
        stages[versions.count - 1] = stage
    }

    /// The place of a version.
    func index(of checksum: String) -> Int? { versions.firstIndex { $0.checksum == checksum } }

    /// The next version with a custom stage, or the last.
    func endOfLightweightRun(after index: Int, until end: Int) -> Int {
        var next = index + 1
        while next < end, customs[next] == nil { next += 1 }
        return next
    }
}
