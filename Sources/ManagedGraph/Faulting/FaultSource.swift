/// The source of the first objects in a tree of origins: a fetch or another call, with its location.
final class FaultSource {
    enum Kind {
        case fetch
        /// `object(with:)`, for one identifier after the other.
        case identifiers
        /// A fetch without recorded details.
        case unknown
    }

    let kind: Kind
    let place: CallPlace?
    /// The remedy for reading values one by one.
    let cureOfValues: String

    init(_ kind: Kind, place: CallPlace?, cureOfValues: String) {
        self.kind = kind
        self.place = place
        self.cureOfValues = cureOfValues
    }
}
