// A game under way, as a value that its page's address holds: the server remembers nothing until it is finished, so
// that a reload, the back button and a restart of the server do no harm. Made and read by PlayScreen.
import Foundation

/// Some cards of a deck in a random order, and the guesses so far.
struct Game: Equatable {
    /// The cards of one game.
    static let length = 10
    /// The most characters of a guess.
    static let guessLimit = 60
    /// A game that lasts longer is not taken for one, in seconds.
    private static let longest = 24.0 * 60 * 60

    let deck: Deck
    /// What the order of the cards is made from.
    let seed: UInt32
    /// When it began, to the millisecond: two games do not begin at one moment.
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

    /// The game that a text holds; nil where it holds none, for the text comes from outside.
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

    /// The game as text; no guess holds the sign between its parts.
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

    /// The guesses with their cards.
    var answered: [(card: Int, guess: String, isRight: Bool)] {
        zip(cards, guesses).map { ($0, $1, deck.isAnswer($1, to: $0)) }
    }

    /// Takes the guess for the next card.
    mutating func take(_ guess: String) {
        guesses.append(guess.replacingOccurrences(of: "~", with: "-"))
    }
}

/// The same numbers for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
