// Models of tests as the distributed profile takes them.
import Foundation
import ManagedGraph

extension NSManagedObjectModel {
    /// Gives the entities with uniqueness constraints an attribute `realm` that distributes their rows.
    package func distribute() {
        for entity in entities where !entity.uniquenessConstraints.isEmpty {
            var root = entity
            while let parent = root.superentity { root = parent }
            if root.attributesByName["realm"] == nil {
                let realm = NSAttributeDescription("realm")
                realm.isOptional = false
                realm.defaultValue = "r"
                root.properties.append(realm)
                root.userInfo = (root.userInfo ?? [:]).merging(["SQLDistributionColumn": "realm"]) { $1 }
            }
            entity.uniquenessConstraints = entity.uniquenessConstraints.map { ["realm"] + $0 }
        }
    }
}
