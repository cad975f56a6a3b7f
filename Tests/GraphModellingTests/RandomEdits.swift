// Edits chosen at random. Used by EditingTests.
import GraphModelling

enum RandomEdits {
    /// An edit of any kind; some are refused.
    static func edit(of picture: ModelPicture, using generator: inout some RandomNumberGenerator) -> ModelEdit {
        let entity = picture.entities.randomElement(using: &generator)
        guard let entity else { return .addEntity(name: nil, superentity: nil, position: nil) }
        let other = picture.entities.randomElement(using: &generator)?.name ?? entity.name
        let property = entity.properties.randomElement(using: &generator)
        let place = ModelPlace(entity: entity.name, property: property?.name)
        let number = Int.random(in: 0..<1000, using: &generator)
        switch Int.random(in: 0..<14, using: &generator) {
        case 0:
            let position = CardPosition(entity: "", x: Double(number), y: 3)
            return .addEntity(name: nil, superentity: number % 3 == 0 ? other : nil, position: position)
        case 1: return .addProperty(entity: entity.name, kind: .attribute, name: "a\(number)")
        case 2: return .addProperty(entity: entity.name, kind: .fetched, name: "f\(number)")
        case 3, 4:
            return .addRelationship(
                entity: entity.name,
                destination: other,
                name: "",
                isToMany: number % 2 == 0,
                inverse: number % 5 == 0 ? nil : "",
                isInverseToMany: number % 3 == 0
            )
        case 5: return .rename(place: place, name: "renamed\(number)")
        case 6: return .rename(place: ModelPlace(entity: entity.name), name: "Renamed\(number)")
        case 7: return .remove(place: number % 4 == 0 ? ModelPlace(entity: entity.name) : place)
        case 8: return .set(place: place, field: "isOptional", value: .flag(number % 2 == 0))
        case 9: return .set(place: place, field: "type", value: .text(["Date", "Double", "URI"][number % 3]))
        case 10: return .move(place: place, index: number % 4)
        case 11: return .arrange(cards: [CardPosition(entity: entity.name, x: Double(number), y: -7.5)])
        case 12: return .duplicate(place: number % 2 == 0 ? place : ModelPlace(entity: entity.name))
        default: return .set(place: place, field: "userInfo", value: .entries(["key": "\(number)"]))
        }
    }
}
