// A transformer that allows texts only, for tests of transformable attributes.
import Foundation
import GraphSQL
import ManagedGraph
import Testing

final class OnlyTexts: NSSecureUnarchiveFromDataTransformer {
    override class var allowedTopLevelClasses: [AnyClass] { [NSArray.self, NSString.self] }
}
