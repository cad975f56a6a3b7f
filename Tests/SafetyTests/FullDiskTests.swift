// Fills a volume: a program's writes, including files of large values, fail midway. Requires the right to mount an
// in-memory volume in a separate namespace (unshare); skipped otherwise.
import ExpectationSupport
import Foundation
import GraphSQLite
import SafetySupport
import TestSupport
import Testing

@Suite(.serialized) struct FullDiskTests {
    @Test(
        .enabled(if: SmallVolume.canMount, "no volume can be mounted here"),
        arguments: [200, 600, 1_500, 3_000, 6_000]
    )
    func aVolumeThatFillsUpRefusesASaveAndLosesNothing(_ kilobytes: Int) throws {
        let program = Bundle.main.bundleURL.appending(path: "StoreProgram").path
        let folder = FileManager.default.temporaryDirectory.appending(path: "full-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Runs steps until one is refused, then copies the store to a volume with space and checks it.
        let seed = 100 + kilobytes
        let result = try SmallVolume.run(
            """
            set -e
            mkdir \(folder.path)/small
            mount -t tmpfs -o size=\(kilobytes)k none \(folder.path)/small
            '\(program)' write \(folder.path)/small/Notes.sqlite \(seed) || true
            mount -o remount,size=100m \(folder.path)/small
            cp -a \(folder.path)/small \(folder.path)/large
            """
        )
        expectEqual(result.status, 0, "\(result.output)")
        let lines = result.output.components(separatedBy: "\n").filter { !$0.isEmpty }
        let last = lines.compactMap { Int($0) }.last ?? 0
        let end = try #require(lines.last)
        // Cocoa's code for a full disk, whether a save or the creation of the store failed.
        #expect(end.contains("640"), "\(end)")
        let check = [program, "check", "\(folder.path)/large/Notes.sqlite", "\(seed)", "\(last)"]
        let (status, text) = try Process.output(of: check, includesErrors: false)
        expectEqual(status, 0, "after step \(last): \(text)")
        // The refused step has left nothing.
        #expect(text.hasPrefix("last"))
    }
}
