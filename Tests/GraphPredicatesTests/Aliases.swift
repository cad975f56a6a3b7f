// The aliases that the build plugin writes into a client's module, as Foundation's classes of these names are unusable.

import GraphPredicates

typealias NSExpression = GraphPredicates.NSExpression
typealias NSComparisonPredicate = GraphPredicates.NSComparisonPredicate
