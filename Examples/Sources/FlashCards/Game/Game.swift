// A game in progress, as a value encoded in the address of its page. The server keeps no state until the game is
// finished, so a reload, the back button and a restart of the server are harmless. Created and read by PlayScreen.
import Foundation

/// Some cards of a deck in a random order, and the guesses so far.
struct Game: Equatable {
    /// The number of cards in one game.
    static let length = 10
    /// The maximum length of a guess, in characters.
    static let guessLimit = 60
    /// The maximum age of a game, in seconds; an older one is rejected.
    private static let longest = 24.0 * 60 * 60

    let deck: Deck
    /// The seed for the order of the cards.
    let seed: UInt32
    /// The start to the millisecond, which identifies the game in the store.
    let start: Date
    private(set) var guesses: [String] = []

    /// A new game.
    init(_ deck: Deck, at start: Date = Date()) {
        self.deck = deck
        self.start = Date(
            timeIntervalSinceReferenceDate: (start.timeIntervalSinceReferenceDate * 1_000).rounded() / 1_000
        )
        seed = .random(in: .min ... .max)
    }

    /// Decodes a game; nil if the text is malformed or too old.
    ///
    /// The text is untrusted input.
    init?(_ deck: Deck, text: String, now: Date = Date()) {
        let parts = text.split(separator: "~", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 2, let seed = UInt32(parts[0], radix: 36), let moment = Int64(parts[1], radix: 36),
            parts.count - 2 < Self.length, (parts.dropFirst(2).allSatisfy { $0.count <= Self.guessLimit })
        else { return nil }
        let start = Date(timeIntervalSinceReferenceDate: Double(moment) / 1_000)
        guard (-60...Self.longest).contains(now.timeIntervalSince(start)) else { return nil }
        self.deck = deck
        self.seed = seed
        self.start = start
        guesses = Array(parts.dropFirst(2))
    }

    /// The game encoded as text; guesses never contain the separator `~`.
    var text: String {
        let moment = Int64((start.timeIntervalSinceReferenceDate * 1_000).rounded())
        return ([String(seed, radix: 36), String(moment, radix: 36)] + guesses).joined(separator: "~")
    }

    /// The numbers of the cards, in order.
    var cards: [Int] {
        var generator = SeededGenerator(seed: UInt64(seed))
        return Array((0..<Deck.count).shuffled(using: &generator).prefix(Self.length))
    }

    var isFinished: Bool { guesses.count == Self.length }

    /// The cards answered so far, with their guesses.
    var answered: [(card: Int, guess: String, isRight: Bool)] {
        zip(cards, guesses).map { ($0, $1, deck.isAnswer($1, to: $0)) }
    }

    /// Records the guess for the next card.
    mutating func take(_ guess: String) {
        guesses.append(guess.replacingOccurrences(of: "~", with: "-"))
    }
}
