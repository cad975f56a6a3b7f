// The cards of one game, wrong ones in red.
import CoreData
import Foundation
import TableScreens

/// The cards of a game, and a button to play again; right after it is finished, an alert shows the result once.
struct GameScreen: Screen {
    let path = "game/:game"
    let queryKeys = ["after", "alert"]

    func page(at place: Place) throws -> Page {
        let game = try place.object(GameResult.self, "game")
        let isNew = place.query["after"] == "game"
        let again = game.deck.map { BarButton.link("Play Again", to: place.link(["play", .word($0.rawValue)])) }
        let request: NSFetchRequest<CardResult> = CardResult.fetchRequest()
        request.predicate = NSPredicate(format: "gameResults == %@", game)
        request.sortDescriptors = [
            NSSortDescriptor(key: "cardName", ascending: true, selector: "localizedStandardCompare:")
        ]
        return Page(
            title: "\(game.score)%",
            back: isNew ? Link("Done", to: place.link([])) : Link("History", to: place.link(["history"])),
            buttons: again.map { [$0] } ?? [],
            table: .fetched(request, of: game, emptyText: "This game has no cards.") { card in
                Row(
                    id: place.reference(card),
                    title: RowText(card.cardName, placeholder: "Untitled"),
                    value: .text(card.wasCorrect ? "Right" : "Wrong"),
                    style: card.wasCorrect ? .plain : .warning,
                    styleLabel: "",
                    action: .open(place.link(["card", .object(card)]))
                )
            },
            alert: place.query["alert"] == "result" ? Alert(title: "\(game.score)%", message: game.summary) : nil
        )
    }
}
