// The names available to random predicates: the attributes and relationships of the sample model, or of a random model.
import GraphModel
import GraphSQL

struct RandomGraph {
    var toOnes: [String: [(String, String)]] = [:]
    var toManys: [String: [(String, String)]] = [:]
    /// The to-many relationships with an order.
    var ordered: [String: [(String, String)]] = [:]
    var attributes: [String: [RandomPredicates.Kind: [String]]] = [:]

    static let sample = RandomGraph(
        toOnes: [
            "Task": [("location", "Place"), ("parent", "Task")], "Step": [("task", "Task")],
            "Place": [("region", "Region")],
        ],
        toManys: [
            "Task": [("children", "Task"), ("tags", "Tag"), ("steps", "Step")], "Tag": [("tasks", "Task")],
            "Place": [("tasks", "Task")], "Region": [("places", "Place")],
        ],
        ordered: ["Task": [("steps", "Step")]],
        attributes: [
            "Task": [
                .number: ["priority", "effort", "amount"], .text: ["text", "note"], .date: ["dueDate"],
                .uuid: ["code"], .boolean: ["done"],
            ],
            "Step": [.number: ["weight"], .text: ["title"]],
            "Tag": [.number: ["rank"], .text: ["name"]], "Place": [.number: ["level"], .text: ["name"]],
            "Region": [.text: ["name"]],
        ]
    )
}
