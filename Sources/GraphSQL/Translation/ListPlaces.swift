// How a constant collection is bound in a statement. Part of a fetch's shape (ConstantShape).

/// The form in which a constant collection is bound: few elements one by one, many as one list.
enum ListPlaces: Hashable, Sendable {
    /// This many marks; the last element fills those left over.
    case marks(Int)
    case list

    /// Lists are padded to a power of two, so that lists of many lengths share few statements.
    init(count: Int) {
        guard count <= 64 else {
            self = .list
            return
        }
        var places = min(count, 1)
        while places < count { places *= 2 }
        self = .marks(places)
    }

    var tag: String {
        switch self {
        case .marks(let count): "\(count)"
        case .list: "j"
        }
    }
}
