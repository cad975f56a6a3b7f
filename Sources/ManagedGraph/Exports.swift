// What a client gets with `import ManagedGraph`, as with Apple's framework: Foundation and the predicate language.
@_exported import Foundation
@_exported import GraphPredicates

// Foundation has these names too. Declared in this module they win over both re-exports, so that
// `ManagedGraph.NSExpression` is one type.

/// A comparison in a predicate, with an initializer off Apple too.
public typealias NSComparisonPredicate = GraphPredicates.NSComparisonPredicate

/// An expression in a predicate, with initializers off Apple too.
public typealias NSExpression = GraphPredicates.NSExpression
