// A model as a file has it, with the findings of its readers. Made by ModelFile.
import Foundation
import GraphModel

/// One version of a model that was read.
package struct ModelReading: Sendable {
    /// The model, without the parts that cannot be used.
    package var model: Model
    /// What is wrong with the file, in its order; none of level `error`, unless the file is a compiled one.
    package var findings: [ModelProblem]
    /// The file that holds the model; nil where data were read.
    package var file: URL?
}
