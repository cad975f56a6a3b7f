// The finished games of a first start.
import CoreData
import Foundation

extension GameResult {
    /// Inserts and saves two finished games.
    ///
    /// - Parameter context: A context, on its queue.
    /// - Throws: The errors of a save.
    static func insertSamples(in context: NSManagedObjectContext) throws {
        // No card has one of the wrong guesses as its answer: the cards are random.
        let games: [(Deck, ago: Double, length: Int32, wrong: [Int: String])] = [
            (.capitals, 26, 94, [2: "Gotham", 7: "New York"]), (.states, 3, 71, [5: "Columbia"]),
        ]
        for (deck, ago, length, wrong) in games {
            var game = Game(deck, at: Date(timeIntervalSinceNow: -ago * 3_600))
            for (place, card) in game.cards.enumerated() { game.take(wrong[place] ?? deck.answer(card)) }
            try save(game, in: context).gameLength = length
        }
        try context.save()
    }
}
