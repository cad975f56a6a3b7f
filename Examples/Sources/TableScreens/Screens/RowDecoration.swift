// The parts of a row beside its texts, as values. Created by applications, rendered by RowRenderer.

/// A part of a row beside its texts.
public enum RowDecoration: Sendable, Equatable {
    /// A short sign before the texts, with its meaning for screen readers; an empty one keeps the place.
    case mark(String, label: String, isStrong: Bool = false)
    /// A small picture after the texts, by its address; `Thumbnails` finds it.
    case thumbnail(String)
    /// A bar before the value, from 0 to 1. The row also has the number as text.
    case meter(Double)
}
