// A name and a value of a JSON object, in the order of the text. Part of JSONValue.

/// A member of a JSON object.
package struct JSONMember: Sendable {
    package let name: String
    package let value: JSONValue

    package init(name: String, value: JSONValue) {
        self.name = name
        self.value = value
    }
}
