// Kills of processes that write one SQLite store concurrently, while other ones follow its history and its notifications of
// remote changes. FILE_KILLS sets the number of kills (default 3), KILL_SEED the first seed.
import SharedStoreSupport
import Testing

@Suite(.serialized) struct SharedFileKillTests {
    @Test func killedProcessesLeaveEveryAcknowledgedSaveAndNothingByHalf() throws {
        var kills = WriterKills(
            SharedStoreSetting.number("FILE_KILLS", 3),
            pause: 100_000,
            seed: SharedStoreSetting.number("KILL_SEED", 1)
        )
        try kills.run { try SharedFile() }
        print("killed \(kills.count) processes: \(kills.saves) saves, \(kills.unacknowledged) without a reply")
        #expect(kills.saves > kills.count)
    }
}
