// Mounts the volume of stores and files for reading only, between two steps of OutageProgram's scenarios: saves end in
// errors with a remedy, reads continue, and the next save succeeds once the volume can be written again. Requires the right
// to mount a volume in a separate namespace (unshare); skipped otherwise. The system refuses to do it while a file is open
// for writing, as that of an open SQLite store is: such a store is opened on the read-only volume. OUTAGE_SCENARIOS
// chooses the scenarios.
import Foundation
import SafetySupport
import Testing

struct ReadOnlyVolumeTests {
    private static let names =
        ProcessInfo.processInfo.environment["OUTAGE_SCENARIOS"]
        ?? "saves,creation,xml,binary,move from XML,lightweight,model files,studio,export"

    @Test(
        "On a volume that is mounted read-only each write is an error with a remedy, and the next one succeeds afterwards",
        .enabled(if: SmallVolume.canMount, "no volume can be mounted here")
    )
    func readOnlyVolume() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "volume-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let result = try SmallVolume.run(
            """
            set -e
            mount -t tmpfs none '\(folder.path)'
            OUTAGE_VOLUME='\(folder.path)' '\(OutageTests.program)' volume '\(Self.names)' 1 1
            """
        )
        OutageTests.expectNoProblem(result.status, result.output, of: "volume")
    }
}
