// A game, one card at a time, with the result of the previous card.
import CoreData
import Foundation
import TableScreens

/// Asks for the answers of a game, one card at a time; the last answer saves the game.
struct PlayScreen: Screen {
    let path = "play/:deck"
    let queryKeys = ["game"]

    func page(at place: Place) throws -> Page {
        let game = try game(at: place)
        let number = game.guesses.count
        return Page(
            title: game.deck.title,
            back: Link("FlashCards", to: place.link([])),
            form: Form(
                fields: [Field(name: "guess", label: "Answer", .text(""))],
                submit: "Check",
                prompt: Prompt(
                    game.deck.question(game.cards[number]),
                    caption: "Card \(number + 1) of \(Game.length)",
                    notice: game.answered.last.map { Self.notice(game.deck, $0.card, $0.guess, $0.isRight) }
                ),
                hidden: ["game": game.text]
            )
        )
    }

    func perform(_ action: Action, at place: Place) throws -> Outcome {
        guard action.name == "save" else { throw ScreenError.unknownAction(action.name) }
        guard let deck = Deck(rawValue: place.word("deck")),
            var game = Game(deck, text: try action.text("game", limit: 2_000))
        else { throw ScreenError.badInput("This game is over. Go back and begin another.") }
        let guess = try action.text("guess", limit: Game.guessLimit)
        guard !guess.isEmpty else { throw ScreenError.badInput("Enter an answer; a question mark will do.") }
        game.take(guess)
        guard game.isFinished else { return .open(place.here(query: ["game": game.text])) }
        let result = try GameResult.save(game, in: place.context)
        return .open(place.link(["game", .object(result)], query: ["after": "game", "alert": "result"]))
    }

    private func game(at place: Place) throws -> Game {
        guard let deck = Deck(rawValue: place.word("deck")) else { throw ScreenError.notFound }
        return place.query["game"].flatMap { Game(deck, text: $0) } ?? Game(deck)
    }

    private static func notice(_ deck: Deck, _ card: Int, _ guess: String, _ isRight: Bool) -> Prompt.Notice {
        let answer = deck.answer(card)
        return isRight
            ? .success("Right: \(deck.cardName(card)) – \(answer).")
            : .failure("Wrong: \(deck.cardName(card)) – \(answer), not “\(guess)”.")
    }
}
