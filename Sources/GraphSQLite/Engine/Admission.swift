// The outcome of admitting a file that may be of another version of the model.
import GraphEngine

/// The outcome of admitting a file that may be of another version.
package enum Admission { case untouched, migrated }
