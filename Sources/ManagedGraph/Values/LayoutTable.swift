// The part of a layout that every read and write of a property looks at, as plain memory: reading it counts no
// references. Made by ObjectLayout and never freed, like the layout itself.
import GraphModel
import GraphSQLite

/// A layout's slots as plain memory.
struct LayoutTable {
    /// The layout's number.
    let number: UInt32
    /// By slot: the column in a row batch, -1 if there is none.
    let columns: UnsafePointer<Int16>
    /// By slot: the attribute's type; `undefined` for a relationship.
    let types: UnsafePointer<AttributeType>

    /// Copies a layout's slots into memory of their own.
    static func make(number: UInt32, columns: [Int16], types: [AttributeType]) -> UnsafePointer<LayoutTable> {
        let table = UnsafeMutablePointer<LayoutTable>.allocate(capacity: 1)
        table.initialize(to: LayoutTable(number: number, columns: copy(columns), types: copy(types)))
        return UnsafePointer(table)
    }

    private static func copy<T>(_ values: [T]) -> UnsafePointer<T> {
        let memory = UnsafeMutablePointer<T>.allocate(capacity: max(1, values.count))
        for (index, value) in values.enumerated() { (memory + index).initialize(to: value) }
        return UnsafePointer(memory)
    }
}
