// A model with an attribute of every type, and the values read by the context that set them, by a fresh one, and from
// a reopened store. Beside `Things`.
import Foundation
import GraphSQL
import ManagedGraph
import Testing

final class ColorTransformer: NSSecureUnarchiveFromDataTransformer {
    override class var allowedTopLevelClasses: [AnyClass] { [TestColor.self] }
}
