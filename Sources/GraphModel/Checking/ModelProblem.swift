// A problem of a model. Created by Model+Problems and by the readers of model files. The level follows Apple's
// compiler: only the models that it rejects are rejected here.

/// A problem of a model, with its location, its cause and its remedy.
package struct ModelProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The severity of a problem.
    package enum Level: String, Sendable, Hashable, Comparable, CaseIterable {
        /// The model works as intended.
        case note
        /// Apple's compiler accepts the model but drops or replaces a part of it, and so do the readers.
        case warning
        /// Apple's compiler rejects the model, and so do the readers.
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

    /// The kind of problem.
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
        /// Composite types nested too deep, or with too many elements together.
        case oversizedComposite
        case missingDerivation
        case missingRequest
        case invalidValue
        /// A stored request uses names that its entity lacks.
        case unusableRequest
        /// A predicate or an expression cannot be parsed.
        case unreadableFormat

        /// The default severity.
        package var level: Level {
            switch self {
            case .missingName, .duplicateEntity, .duplicateProperty, .unknownSuperentity, .superentityCycle,
                .unknownDestination, .unknownConstraintProperty, .unknownAttributeType, .unknownComposite,
                .compositeCycle, .oversizedComposite, .missingDerivation, .unreadableFormat:
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
    /// The fetch request template, if the problem is one of its own.
    package var template: String?
    /// The configuration, if the problem is one of its own.
    package var configuration: String?
    /// The cause and the remedy, in one or two sentences.
    package var reason: String

    /// Describes a problem.
    ///
    /// - Parameters:
    ///   - kind: The kind of problem.
    ///   - level: The severity; nil for the kind's default.
    ///   - entity: The entity, if there is one.
    ///   - property: The property, if there is one.
    ///   - template: The fetch request template, if the problem is one of its own.
    ///   - configuration: The configuration, if the problem is one of its own.
    ///   - reason: The cause and the remedy.
    package init(
        _ kind: Kind,
        level: Level? = nil,
        entity: String? = nil,
        property: String? = nil,
        template: String? = nil,
        configuration: String? = nil,
        reason: String
    ) {
        self.kind = kind
        self.level = level ?? kind.level
        self.entity = entity
        self.property = property
        self.template = template
        self.configuration = configuration
        self.reason = reason
    }

    package var description: String {
        Self.text(entity, property, reason)
    }

    /// A statement about a place of a model.
    package static func text(_ entity: String?, _ property: String?, _ statement: String) -> String {
        let place = [entity, property].compactMap(\.self).joined(separator: ".")
        return place.isEmpty ? statement : "\(place): \(statement)"
    }
}
