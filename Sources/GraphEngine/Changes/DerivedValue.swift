/// A stored value that differs from the saved one: a derived value, or one changed by the file's format.
package struct DerivedValue {
    package var key: ObjectKey
    package var property: String
    package var value: RowValue

    package init(key: ObjectKey, property: String, value: RowValue) {
        self.key = key
        self.property = property
        self.value = value
    }
}
