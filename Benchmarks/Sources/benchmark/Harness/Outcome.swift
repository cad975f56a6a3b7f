// The result of the work of one round.

/// The result of the work of one round.
struct Outcome {
    /// The sum over all values read or written, equal for all subjects of a case.
    ///
    /// It is not timed, and keeps its captures alive until the clock has stopped.
    var checksum: () throws -> Checksum
    /// The time to report instead of that of the whole work.
    var nanoseconds: Double?
    var figures: [Figure] = []

    init(_ checksum: @escaping () throws -> Checksum) { self.checksum = checksum }

    /// An outcome that is complete when the work ends.
    init(_ checksum: Checksum) { self.checksum = { checksum } }
}
