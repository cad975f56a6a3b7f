// The aliases that the build plugin writes into a client's module: Foundation has unusable classes of these names.

import GraphPredicates

typealias NSExpression = GraphPredicates.NSExpression
typealias NSComparisonPredicate = GraphPredicates.NSComparisonPredicate
