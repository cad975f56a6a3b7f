import GraphEngine

/// The outcome of admitting a file that may be of another version of the model.
package enum Admission { case untouched, migrated }
