// The statements that create indexes. Made by StoreSchema.init(model:), shared by its tables.
import Synchronization

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
