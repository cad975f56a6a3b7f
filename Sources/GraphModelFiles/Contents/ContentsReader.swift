// Interprets a model's `contents` XML: converts elements to the values of GraphModel. Called by ModelFile.readModel.
// It throws nothing: it collects problems and continues, so that one error can list them all.
//
// The editor's own attributes (lastSavedToolsVersion, syncable, …) and the positions of boxes affect neither the schema
// nor the generated classes; ModelDocument keeps them.
import Foundation
import GraphModel

/// Reads the element tree of one model version.
struct ContentsReader {
    var problems: [ModelProblem] = []
    /// The entity and property being read, for problems.
    var entity: String?
    var property: String?
    /// The composite types of the model by name.
    var composites: [String: ModelNode] = [:]
    /// The composite types being read, outermost first.
    var openComposites: [String] = []
    let compositeBudget = CompositeBudget()

    mutating func report(_ kind: ModelProblem.Kind, level: ModelProblem.Level? = nil, _ reason: String) {
        problems.append(ModelProblem(kind, level: level, entity: entity, property: property, reason: reason))
    }

    /// Reads `<model>`.
    mutating func readModel(_ root: ModelNode) -> Model {
        readComposites(root)
        var model = Model()
        model.versionIdentifiers = root["userDefinedModelVersionIdentifier"].map { [$0] } ?? []
        for node in root.children(named: "entity") {
            model.entities.append(readEntity(node))
        }
        for node in root.children(named: "configuration") {
            model.configurations.append(
                Configuration(
                    name: node["name"] ?? "",
                    entityNames: node.children(named: "memberEntity").compactMap { $0["name"] }
                )
            )
        }
        for node in root.children(named: "fetchRequest") {
            model.fetchRequestTemplates.append(readFetchRequest(node))
        }
        return model
    }

    private mutating func readComposites(_ root: ModelNode) {
        for node in root.children(named: "composite") {
            let name = node["name"] ?? ""
            if composites.updateValue(node, forKey: name) != nil {
                report(
                    .duplicateName,
                    level: .error,
                    "the model has two composite types named \(name). Rename one of them."
                )
            }
        }
    }

    /// The `<userInfo>` entries of an element.
    func readUserInfo(_ node: ModelNode) -> [String: String] {
        let entries = node.children(named: "userInfo").flatMap { $0.children(named: "entry") }
        return Dictionary(
            entries.compactMap { entry in entry["key"].map { ($0, entry["value"] ?? "") } },
            uniquingKeysWith: { _, last in last }
        )
    }
}
