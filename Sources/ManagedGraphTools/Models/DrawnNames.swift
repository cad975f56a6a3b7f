// Swift's names for tables and columns: `order_details` becomes OrderDetail, `customer_id` customerId. Used by ModelDrawing.

/// Names of entities and properties for tables and columns.
enum DrawnNames {
    /// Names that a property cannot have, as NSManagedObject or Swift has them.
    private static let reserved: Set<String> = [
        "class", "context", "description", "deinit", "entity", "faultingState", "hash", "hasChanges", "init",
        "isDeleted",
        "isFault", "isInserted", "isProxy", "isUpdated", "managedObjectContext", "objectID", "observationInfo", "self",
        "superclass", "zone", "debugDescription", "isEqual", "copy", "mutableCopy",
    ]
    /// Names of types that every Swift file has.
    private static let types: Set<String> = [
        "Any", "Array", "Bool", "Character", "Data", "Date", "Decimal", "Dictionary", "Double", "Error", "Float", "Int",
        "Optional", "Protocol", "Self", "Set", "String", "Type", "URL", "UUID",
    ]

    /// The words of a name, in lower case: at underscores, other marks, and changes of case.
    static func words(_ name: String) -> [String] {
        var words: [String] = []
        var word = ""
        let characters = Array(name)
        for (place, character) in characters.enumerated() {
            guard character.isLetter || character.isNumber else {
                if !word.isEmpty { words.append(word) }
                word = ""
                continue
            }
            let previous = place > 0 ? characters[place - 1] : nil
            let next = place + 1 < characters.count ? characters[place + 1] : nil
            if character.isUppercase, let previous, !word.isEmpty,
                previous.isLowercase || previous.isNumber || (previous.isUppercase && next?.isLowercase == true)
            {
                words.append(word)
                word = ""
            }
            word.append(contentsOf: character.lowercased())
        }
        return word.isEmpty ? words : words + [word]
    }

    /// The name of the entity of a table.
    static func entity(_ table: String) -> String {
        var words = words(table)
        if let last = words.popLast() { words.append(singular(last)) }
        let name = words.map(capitalized).joined()
        if name.isEmpty || name.first?.isLetter == false { return "Table" + name }
        return types.contains(name) ? name + "Row" : name
    }

    /// The name of the property of a column.
    static func property(_ column: String) -> String { joined(words(column)) }

    /// The name of a relationship along a foreign key: the column's without its last word `id`.
    static func toOne(_ column: String, to entity: String) -> String {
        var words = words(column)
        if let last = words.last, words.count > 1, ["id", "key", "fk", "no"].contains(last) { words.removeLast() }
        if words == ["id"] || words.isEmpty { words = self.words(entity) }
        return joined(words)
    }

    /// The name of a to-many relationship to an entity.
    static func toMany(_ entity: String) -> String {
        var words = words(entity)
        if let last = words.popLast() { words.append(plural(last)) }
        return joined(words)
    }

    private static func joined(_ words: [String]) -> String {
        var name = (words.first ?? "") + words.dropFirst().map(capitalized).joined()
        if name.isEmpty || name.first?.isLetter == false { name = "value" + name }
        return reserved.contains(name) ? name + "Value" : name
    }

    static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    private static func singular(_ word: String) -> String {
        if word.count > 3, word.hasSuffix("ies"), word != "series" { return word.dropLast(3) + "y" }
        for end in ["sses", "shes", "ches", "xes", "zes"] where word.hasSuffix(end) { return String(word.dropLast(2)) }
        for end in ["ss", "us", "is", "series", "news"] where word.hasSuffix(end) { return word }
        return word.count > 2 && word.hasSuffix("s") ? String(word.dropLast()) : word
    }

    private static func plural(_ word: String) -> String {
        if word.hasSuffix("y"), let before = word.dropLast().last, !"aeiou".contains(before) {
            return word.dropLast() + "ies"
        }
        for end in ["s", "sh", "ch", "x", "z"] where word.hasSuffix(end) { return word + "es" }
        return word + "s"
    }
}
