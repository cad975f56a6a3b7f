// The cards of one game, wrong ones in red.
import CoreData
import Foundation
import TableScreens

/// The cards of a game; right after it is finished, an alert shows the result.
struct GameScreen: Screen {
    let path = "game/:game"
    let queryKeys = ["alert"]

    func page(at place: Place) throws -> Page {
        let game = try place.object(GameResult.self, "game")
        let isNew = place.query["alert"] == "result"
        let request: NSFetchRequest<CardResult> = CardResult.fetchRequest()
        request.predicate = NSPredicate(format: "gameResults == %@", game)
        request.sortDescriptors = [
            NSSortDescriptor(key: "cardName", ascending: true, selector: "localizedStandardCompare:")
        ]
        return Page(
            title: "\(game.score)%",
            back: isNew ? Link("Done", to: place.link([])) : Link("History", to: place.link(["history"])),
            table: .fetched(request, emptyText: "This game has no cards.") { card in
                Row(
                    id: place.reference(card),
                    title: RowText(card.cardName, placeholder: "Untitled"),
                    value: .text(card.wasCorrect ? "Right" : "Wrong"),
                    style: card.wasCorrect ? .plain : .warning,
                    styleLabel: "",
                    action: .open(place.link(["card", .object(card)]))
                )
            },
            alert: isNew ? Alert(title: "\(game.score)%", message: game.summary) : nil
        )
    }
}
