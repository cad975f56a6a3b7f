// One thing that is wrong with a model. Made by Model+Problems and by the readers of model files; turned into an
// error by whoever was asked to read or use the model.

/// A flaw that makes a model unusable, with its place, its cause and its remedy.
package struct ModelProblem: Sendable, Hashable, CustomStringConvertible {
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
        case unknownProperty
        case unknownEntity
        case unknownAttributeType
        case unknownComposite
        case compositeCycle
        case missingDerivation
        case missingRequest
        case invalidValue
    }

    package var kind: Kind
    package var entity: String?
    package var property: String?
    /// What is wrong and what to do about it, in one or two sentences.
    package var reason: String

    package init(_ kind: Kind, entity: String? = nil, property: String? = nil, reason: String) {
        self.kind = kind
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
