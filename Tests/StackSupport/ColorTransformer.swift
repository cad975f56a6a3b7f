// The transformer of TestColor.
import Foundation
import GraphSQL
import ManagedGraph
import Testing

final class ColorTransformer: NSSecureUnarchiveFromDataTransformer {
    override class var allowedTopLevelClasses: [AnyClass] { [TestColor.self] }
}
