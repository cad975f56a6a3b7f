// One pair of a many-to-many relationship that a save inserts or deletes.

/// One pair to insert into or delete from a join table.
package struct JoinOperation {
    package var layout: EntityLayout
    package var slot: Int
    package var source: Int64
    package var destination: Int64
    package var isInsert: Bool

    package init(layout: EntityLayout, slot: Int, source: Int64, destination: Int64, isInsert: Bool) {
        self.layout = layout
        self.slot = slot
        self.source = source
        self.destination = destination
        self.isInsert = isInsert
    }
}
