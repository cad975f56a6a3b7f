// One finding about a model. Made by Model+Problems and by the readers of model files. Apple's compiler decides the level: only
// the models it refuses are refused here.

/// A flaw of a model, with its place, its cause and its remedy.
package struct ModelProblem: Sendable, Hashable, CustomStringConvertible {
    /// How much a flaw matters.
    package enum Level: String, Sendable, Hashable, Comparable, CaseIterable {
        /// The model means what its author meant.
        case note
        /// Apple's compiler accepts the model and drops or replaces a part of it, and so do the readers.
        case warning
        /// Apple's compiler refuses the model, and so do the readers.
        case error

        package static func < (first: Level, second: Level) -> Bool { first.rank < second.rank }

        private var rank: Int {
            switch self {
            case .note: 0
            case .warning: 1
            case .error: 2
            }
        }
    }

    /// What is wrong.
    package enum Kind: Sendable, Hashable {
        case missingName
        case duplicateEntity
        case duplicateProperty
        case duplicateName
        case unknownSuperentity
        case superentityCycle
        case unknownDestination
        case unknownInverse
        case inverseDoesNotPointBack
        case invalidCount
        /// In a uniqueness constraint.
        case unknownConstraintProperty
        /// In an index.
        case unknownProperty
        case unknownEntity
        case unknownAttributeType
        case unknownComposite
        case compositeCycle
        case missingDerivation
        case missingRequest
        case invalidValue
        /// A stored request names what its entity lacks.
        case unusableRequest
        /// A predicate or an expression cannot be parsed.
        case unreadableFormat

        /// How much it matters where the finding says nothing else.
        package var level: Level {
            switch self {
            case .missingName, .duplicateEntity, .duplicateProperty, .unknownSuperentity, .superentityCycle,
                .unknownDestination, .unknownConstraintProperty, .unknownAttributeType, .unknownComposite,
                .compositeCycle, .missingDerivation, .unreadableFormat:
                .error
            case .duplicateName, .unknownInverse, .inverseDoesNotPointBack, .invalidCount, .unknownProperty,
                .unknownEntity, .missingRequest, .invalidValue, .unusableRequest:
                .warning
            }
        }
    }

    package var kind: Kind
    package var level: Level
    package var entity: String?
    package var property: String?
    /// What is wrong and what to do about it, in one or two sentences.
    package var reason: String

    /// Describes a flaw.
    ///
    /// - Parameters:
    ///   - kind: The sort of flaw.
    ///   - level: How much it matters; nil for what the kind says.
    ///   - entity: The entity, where there is one.
    ///   - property: The property, where there is one.
    ///   - reason: The cause and the remedy.
    package init(
        _ kind: Kind,
        level: Level? = nil,
        entity: String? = nil,
        property: String? = nil,
        reason: String
    ) {
        self.kind = kind
        self.level = level ?? kind.level
        self.entity = entity
        self.property = property
        self.reason = reason
    }

    package var description: String {
        switch (entity, property) {
        case (let entity?, let property?): "\(entity).\(property): \(reason)"
        case (let entity?, nil): "\(entity): \(reason)"
        case (nil, let property?): "\(property): \(reason)"
        case (nil, nil): reason
        }
    }
}
