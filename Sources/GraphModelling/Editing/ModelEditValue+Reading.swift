// Reads the value of an edit as the type that its field has.

extension ModelEditValue {
    static func unknown(_ field: String, _ place: ModelPlace) -> ModelSessionError {
        ModelSessionError(
            .missing,
            "\(place.description.isEmpty ? "The model" : place.description) has no field \(field).",
            remedy: "Choose a field that its picture has.",
            place: place
        )
    }

    static func notAmong(_ choices: [String], _ field: String, _ place: ModelPlace) -> ModelSessionError {
        ModelSessionError(
            .invalidEdit,
            "The value does not exist for \(field).",
            remedy: "Choose one of \(choices.joined(separator: ", ")).",
            place: place
        )
    }

    private func mismatch(_ field: String, _ expected: String, _ place: ModelPlace) -> ModelSessionError {
        ModelSessionError(
            .invalidEdit,
            "The value of \(field) is not \(expected).",
            remedy: "Enter \(expected).",
            place: place
        )
    }

    func flag(_ field: String, _ place: ModelPlace) throws(ModelSessionError) -> Bool {
        guard case .flag(let flag) = self else { throw mismatch(field, "yes or no", place) }
        return flag
    }

    func text(_ field: String, _ place: ModelPlace) throws(ModelSessionError) -> String {
        guard case .text(let text) = self else { throw mismatch(field, "a text", place) }
        return text
    }

    /// A text; nil for none and for an empty one.
    func optionalText(_ field: String, _ place: ModelPlace) throws(ModelSessionError) -> String? {
        if case .none = self { return nil }
        let text = try text(field, place)
        return text.isEmpty ? nil : text
    }

    /// A whole number that is not negative.
    func count(_ field: String, _ place: ModelPlace) throws(ModelSessionError) -> Int {
        guard case .number(let number) = self, let count = Int(exactly: number), count >= 0, count <= Int32.max else {
            throw mismatch(field, "a whole number from 0 to \(Int32.max)", place)
        }
        return count
    }

    func texts(_ field: String, _ place: ModelPlace) throws(ModelSessionError) -> [String] {
        guard case .texts(let texts) = self else { throw mismatch(field, "a list of names", place) }
        return texts
    }

    func lists(_ field: String, _ place: ModelPlace) throws(ModelSessionError) -> [[String]] {
        switch self {
        case .lists(let lists): return lists.filter { !$0.isEmpty }
        case .texts(let texts) where texts.isEmpty: return []
        default: throw mismatch(field, "a list of lists of names", place)
        }
    }

    func indexes(_ field: String, _ place: ModelPlace) throws(ModelSessionError) -> [IndexPicture] {
        switch self {
        case .indexes(let indexes): return indexes
        case .texts(let texts) where texts.isEmpty: return []
        default: throw mismatch(field, "a list of indexes", place)
        }
    }

    func entries(_ field: String, _ place: ModelPlace) throws(ModelSessionError) -> [String: String] {
        guard case .entries(let entries) = self, entries[""] == nil else {
            throw mismatch(field, "a list of keys, which are not empty, with their texts", place)
        }
        return entries
    }
}
