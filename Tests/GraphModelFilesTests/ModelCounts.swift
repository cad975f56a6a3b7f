import GraphModel

/// Totals over the models of a collection, for a test's log.
struct ModelCounts: CustomStringConvertible {
    var entities = 0
    var attributes = 0
    var relationships = 0
    var fetchedProperties = 0
    var indexes = 0
    var constraints = 0
    var rules = 0
    var templates = 0
    var configurations = 0

    mutating func add(_ model: Model) {
        entities += model.entities.count
        templates += model.fetchRequestTemplates.count
        configurations += model.configurations.count
        for entity in model.entities {
            attributes += entity.attributes.count
            relationships += entity.relationships.count
            fetchedProperties += entity.fetchedProperties.count
            indexes += entity.indexes.count + entity.compoundIndexes.count
            constraints += entity.uniquenessConstraints.count
            rules += entity.attributes.map(\.common.validations.count).reduce(0, +)
        }
    }

    var description: String {
        "\(entities) entities, \(attributes) attributes, \(relationships) relationships, "
            + "\(fetchedProperties) fetched properties, \(indexes) indexes, \(constraints) uniqueness constraints, "
            + "\(rules) validation rules, \(templates) fetch request templates, \(configurations) configurations"
    }
}
