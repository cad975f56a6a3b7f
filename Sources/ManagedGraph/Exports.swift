// What a client gets with `import ManagedGraph`, as with Apple's framework: Foundation and the predicate language.
@_exported import Foundation
@_exported import GraphPredicates
