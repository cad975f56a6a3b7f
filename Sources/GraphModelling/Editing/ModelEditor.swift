// Applies one edit to a document. Called by ModelSession on a copy, so that a refused edit changes nothing. The parts
// of the editor are steps on the model's values; the document then follows the model.
import GraphModel
import GraphModelFiles

/// Edits a document.
struct ModelEditor {
    private(set) var document: ModelDocument
    var model: Model
    /// The positions to write after the model's own changes.
    private var cards: [CardPosition] = []

    /// Applies an edit.
    ///
    /// - Parameters:
    ///   - edit: The edit.
    ///   - document: The document, which is unchanged if the edit is refused.
    /// - Returns: The title of the change.
    /// - Throws: `ModelSessionError` for an edit that does not fit the model.
    static func apply(_ edit: ModelEdit, to document: inout ModelDocument) throws(ModelSessionError) -> String {
        var editor = ModelEditor(document: document, model: document.model)
        let title = try editor.apply(edit)
        try editor.finish()
        document = editor.document
        return title
    }

    private init(document: ModelDocument, model: Model) {
        self.document = document
        self.model = model
    }

    private mutating func apply(_ edit: ModelEdit) throws(ModelSessionError) -> String {
        switch edit {
        case .addEntity(let name, let superentity, let position):
            return try addEntity(name, superentity: superentity, position: position)
        case .addProperty(let entity, let kind, let name):
            return try addProperty(to: entity, kind: kind, name: name)
        case .addRelationship(let entity, let destination, let name, let isToMany, let inverse, let isInverseToMany):
            return try addRelationship(
                from: entity,
                to: destination,
                name: name,
                isToMany: isToMany,
                inverse: inverse,
                isInverseToMany: isInverseToMany
            )
        case .addElement(let entity, let property, let name):
            return try addElement(to: ModelPlace(entity: entity, property: property), name: name)
        case .addRequest(let name, let entity): return try addRequest(name, entity: entity)
        case .addConfiguration(let name): return try addConfiguration(name)
        case .duplicate(let place): return try duplicate(place)
        case .rename(let place, let name): return try rename(place, to: name)
        case .remove(let place): return try remove(place)
        case .set(let place, let field, let value): return try set(field, of: place, to: value)
        case .move(let place, let index): return try move(place, to: index)
        case .arrange(let cards):
            try arrange(cards)
            return cards.count == 1 ? "Move \(cards[0].entity)" : "Move \(cards.count) cards"
        }
    }

    private mutating func finish() throws(ModelSessionError) {
        do {
            let losses = try document.update(to: model)
            if let loss = losses.first {
                throw ModelSessionError(
                    .invalidEdit,
                    loss.description,
                    remedy: "Choose a value that model files have.",
                    place: ModelPlace(entity: loss.entity, property: loss.property)
                )
            }
        } catch let error as ModelSessionError {
            throw error
        } catch {
            throw ModelSessionError(.invalidEdit, "\(error)", remedy: "Correct the model first.")
        }
        do throws(ModelFileError) {
            try document.checkCharacters()
        } catch {
            throw ModelSessionError(
                .invalidEdit,
                ModelProblem.text(error.entity, error.property, error.reason),
                remedy: "The field keeps its value until then.",
                place: ModelPlace(entity: error.entity, property: error.property)
            )
        }
        if !cards.isEmpty { place(cards) }
    }

    // MARK: The diagram

    mutating func arrange(_ positions: [CardPosition]) throws(ModelSessionError) {
        for card in positions {
            _ = try entityIndex(card.entity)
            guard card.isInDiagram else {
                throw ModelSessionError(
                    .invalidEdit,
                    "The position of \(card.entity) is outside the diagram.",
                    remedy: "Move the card to a place within a million units.",
                    place: ModelPlace(entity: card.entity)
                )
            }
        }
        cards += positions
    }

    /// Writes positions; a file without a diagram gets one of these cards.
    private mutating func place(_ positions: [CardPosition]) {
        var boxes = document.diagram ?? []
        for card in positions {
            let properties = model.entity(named: card.entity)?.properties.count ?? 0
            if let index = boxes.firstIndex(where: { $0.name == card.entity }) {
                (boxes[index].x, boxes[index].y) = (card.x, card.y)
                if let width = card.width { boxes[index].width = width }
                if let height = card.height { boxes[index].height = height }
            } else {
                // Xcode's cards: a head of 44 units and 15 for each property.
                let height = card.height ?? Double(44 + 15 * properties)
                boxes.append(.init(name: card.entity, x: card.x, y: card.y, width: card.width ?? 128, height: height))
            }
        }
        document.diagram = boxes
    }

    // MARK: Settings outside the model

    mutating func setHeader(_ name: String, to value: String?) { document[header: name] = value }

    mutating func setConfiguration(_ name: String, _ attribute: String, to value: String?) {
        document[configuration: name, attribute] = value
    }
}
