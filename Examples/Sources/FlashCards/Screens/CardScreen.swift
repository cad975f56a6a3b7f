// One card of a finished game: the question and the guess.
import CoreData
import Foundation
import TableScreens

/// A card with its guess; games saved by the first model version have no guesses.
struct CardScreen: Screen {
    let path = "card/:card"

    func page(at place: Place) throws -> Page {
        let card = try place.object(CardResult.self, "card")
        guard let game = card.gameResults else { throw ScreenError.notFound }
        return Page(
            title: card.cardName ?? "Card",
            back: Link("\(game.score)%", to: place.link(["game", .object(game)])),
            table: .computed {
                let card = try place.object(CardResult.self, "card")
                return [
                    Row(id: "card", title: "Card", value: RowText(card.cardName, placeholder: "Untitled")),
                    Row(
                        id: "guess",
                        title: "Guess",
                        value: RowText(card.guess, placeholder: "Not recorded"),
                        style: card.wasCorrect ? .plain : .warning,
                        styleLabel: card.wasCorrect ? "right" : "wrong"
                    ),
                    Row(
                        id: "answer",
                        title: "Answer",
                        value: RowText(card.cardName.flatMap(Deck.answer(toCardNamed:)), placeholder: "Unknown")
                    ),
                ]
            }
        )
    }
}
