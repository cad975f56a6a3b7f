// Durations as pages show them.

extension Duration {
    /// The whole microseconds.
    public var microseconds: Int {
        Int(components.seconds) * 1_000_000 + Int(components.attoseconds / 1_000_000_000_000)
    }
}
