// A table of the entities of one inheritance tree.
import GraphModel
import Synchronization

/// A table of an inheritance tree.
package struct TableSchema: Sendable {
    package var name: String
    package var rootEntity: String
    package var own = OwnColumns.apple
    /// After the table's own columns, in Apple's order.
    package var columns: [ColumnSchema]
    let tree: Int
    let indexes: IndexStatements

    package var indexStatements: [String] { indexes.statements(ofTree: tree) }
}

/// The statements that create the indexes of a model's tables.
///
/// They are generated at their first use: a store whose tables exist needs none of them to open.
final class IndexStatements: Sendable {
    private let indexes: SchemaIndexes
    private let trees: [Int]
    private let generated = Mutex<[Int: [String]]?>(nil)

    init(_ indexes: SchemaIndexes, trees: [Int]) {
        self.indexes = indexes
        self.trees = trees
    }

    func statements(ofTree tree: Int) -> [String] {
        generated.withLock { generated in
            let statements = generated ?? indexes.statements(ofTrees: trees)
            generated = statements
            return statements[tree] ?? []
        }
    }
}
