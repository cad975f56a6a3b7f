// The modules that `import ManagedGraph` re-exports, as Apple's framework does: Foundation and the predicate language.
@_exported import Foundation
@_exported import GraphPredicates

// Foundation has these names too. Declared in this module, they take precedence over both re-exports, so that
// `ManagedGraph.NSExpression` is unambiguous.

/// A comparison in a predicate, with an initializer on all platforms.
public typealias NSComparisonPredicate = GraphPredicates.NSComparisonPredicate

/// An expression in a predicate, with initializers on all platforms.
public typealias NSExpression = GraphPredicates.NSExpression
