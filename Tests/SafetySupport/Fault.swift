// A failure that FaultyDisk makes.

/// A failure of calls on a folder's files.
package struct Fault: Sendable {
    /// The way in which calls fail.
    package enum Kind: CaseIterable, Sendable {
        /// One call fails, of any kind; the next ones work.
        case once
        /// From one call on all calls fail, as if the disk had been removed.
        case forever
        /// From one call on, writes fail as on a full disk.
        case full
    }

    package var kind: Kind
    /// The number of the failing call, from 1.
    package var call: Int

    package init(kind: Kind, call: Int) {
        self.kind = kind
        self.call = call
    }
}
