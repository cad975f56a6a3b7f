// A model as stored in a file, with the findings of its readers. Created by ModelFile.
import Foundation
import GraphModel

/// One version of a model that was read.
package struct ModelReading: Sendable {
    /// The model, without unusable parts.
    package var model: Model
    /// The findings in file order; none of level `error`, unless the file is a compiled model.
    package var findings: [ModelProblem]
    /// The file that holds the model; nil if it was read from data.
    package var file: URL?
}
