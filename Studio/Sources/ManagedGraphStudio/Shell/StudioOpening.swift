/// Whether the studio's first page may open further models and stores.
public enum StudioOpening: Sendable {
    /// Opened stores are read.
    case readOnly
    /// Objects of opened stores may be changed.
    case writable
}
