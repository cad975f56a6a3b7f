// The texts that the screens show for a finished game.
import CoreData
import Foundation

extension GameResult {
    private var cards: [CardResult] { (cardResults as? Set<CardResult>).map(Array.init) ?? [] }

    /// The share of right answers, in whole per cent.
    var score: Int {
        let cards = self.cards
        guard !cards.isEmpty else { return 0 }
        return Int((Double(cards.count(where: \.wasCorrect)) / Double(cards.count) * 100).rounded())
    }

    /// “8 of 10 right in 1:05”.
    var summary: String {
        let cards = self.cards
        return "\(cards.count(where: \.wasCorrect)) of \(cards.count) right in \(length)"
    }

    /// The deck that the game was played with; nil for a game without cards.
    var deck: Deck? { cards.lazy.compactMap { $0.cardName.flatMap(Deck.deck(ofCardNamed:)) }.first }

    /// Minutes and seconds, preceded by hours if there are any.
    var length: String {
        let seconds = max(0, Int(gameLength))
        let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
        return hours > 0
            ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
    }

    /// Saves a game's cards.
    ///
    /// A game that is already saved, as after a second tap, is returned and not inserted again.
    ///
    /// - Parameters:
    ///   - game: A finished game.
    ///   - context: The context to save in.
    /// - Returns: The result, saved.
    /// - Throws: The errors of a fetch and of `save()`.
    static func save(_ game: Game, in context: NSManagedObjectContext) throws -> GameResult {
        let request: NSFetchRequest<GameResult> = GameResult.fetchRequest()
        request.predicate = NSPredicate(format: "gameDate == %@", game.start as NSDate)
        request.fetchLimit = 1
        if let saved = try context.fetch(request).first { return saved }
        let result = GameResult(context: context)
        result.gameDate = game.start
        result.gameLength = Int32(max(0, Date().timeIntervalSince(game.start)).rounded())
        for (card, guess, isRight) in game.answered {
            let cardResult = CardResult(context: context)
            cardResult.cardName = game.deck.cardName(card)
            cardResult.guess = guess
            cardResult.wasCorrect = isRight
            cardResult.gameResults = result
        }
        try context.save()
        return result
    }
}
