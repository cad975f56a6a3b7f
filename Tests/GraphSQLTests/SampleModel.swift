// The model of these tests: every attribute type, to-one chains, both kinds of to-many, ordered ones and inheritance.
import Foundation
import GraphModel
import GraphSQL
import ModelSupport

enum SampleModel {
    static let model = Model(entities: [task, step, tag, place, home, shop, region])
    static let schema = StoreSchema(model: model)

    private static let task = Entity(
        name: "Task",
        properties: [
            .attribute("text", .string), .attribute("note", .string), .attribute("priority", .integer16),
            .attribute("effort", .integer64), .attribute("amount", .double), .attribute("cost", .decimal),
            .attribute("done", .boolean), .attribute("dueDate", .date), .attribute("code", .uuid),
            .attribute("link", .uri), .attribute("bytes", .binary), .attribute("look", .transformable),
            .attribute(
                Attribute(
                    common: PropertyCommon(name: "size"),
                    type: .composite,
                    elements: [
                        Attribute(common: PropertyCommon(name: "width"), type: .double),
                        Attribute(common: PropertyCommon(name: "height"), type: .double),
                    ]
                )
            ),
            .attribute(Attribute(common: PropertyCommon(name: "isOverdue", isTransient: true), type: .boolean)),
            .toOne("location", "Place", "tasks"), .toOne("parent", "Task", "children"),
            .toMany("children", "Task", "parent"), .toMany("tags", "Tag", "tasks"),
            .toMany("steps", "Step", "task", isOrdered: true),
        ]
    )
    private static let step = Entity(
        name: "Step",
        properties: [.attribute("title", .string), .attribute("weight", .integer32), .toOne("task", "Task", "steps")]
    )
    private static let tag = Entity(
        name: "Tag",
        properties: [.attribute("name", .string), .attribute("rank", .integer16), .toMany("tasks", "Task", "tags")]
    )
    private static let place = Entity(
        name: "Place",
        isAbstract: true,
        properties: [
            .attribute("name", .string), .toMany("tasks", "Task", "location"), .toOne("region", "Region", "places"),
        ]
    )
    private static let home = Entity(
        name: "Home",
        superentityName: "Place",
        properties: [.attribute("storedIn", .string), .attribute("level", .integer16)]
    )
    private static let shop = Entity(
        name: "Shop",
        superentityName: "Place",
        properties: [.attribute("aisle", .string), .attribute("level", .integer16)]
    )
    private static let region = Entity(
        name: "Region",
        properties: [.attribute("name", .string), .toMany("places", "Place", "region")]
    )
}
