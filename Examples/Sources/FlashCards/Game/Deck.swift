// The cards (fifty states with their capitals) and the comparison of guesses with answers. Values only.
import Foundation

/// One of the two games.
enum Deck: String, CaseIterable {
    /// Asks for the state of a capital.
    case states
    /// Asks for the capital of a state.
    case capitals

    var title: String {
        switch self {
        case .states: "States"
        case .capitals: "Capitals"
        }
    }

    /// The name of a card: the text on its face.
    func cardName(_ number: Int) -> String {
        self == .capitals ? Self.pairs[number].state : Self.pairs[number].capital
    }

    func question(_ number: Int) -> String {
        switch self {
        case .states: "Which state has the capital \(Self.pairs[number].capital)?"
        case .capitals: "What is the capital of \(Self.pairs[number].state)?"
        }
    }

    func answer(_ number: Int) -> String {
        self == .capitals ? Self.pairs[number].capital : Self.pairs[number].state
    }

    /// Whether a guess is the answer, ignoring case, accents and punctuation; “St” counts as “Saint”.
    func isAnswer(_ guess: String, to number: Int) -> Bool {
        Self.plain(guess) == Self.plain(answer(number))
    }

    /// Returns the answer to the card with the given name in either deck; no state shares its name with a capital.
    static func answer(toCardNamed name: String) -> String? {
        for pair in pairs {
            if pair.state == name { return pair.capital }
            if pair.capital == name { return pair.state }
        }
        return nil
    }

    /// Returns the deck with a card of the given name, or nil.
    static func deck(ofCardNamed name: String) -> Deck? {
        if pairs.contains(where: { $0.state == name }) { return .capitals }
        return pairs.contains { $0.capital == name } ? .states : nil
    }

    static var count: Int { pairs.count }

    private static func plain(_ text: String) -> [Substring] {
        let folded = text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        return folded.split { !$0.isLetter }.map { $0 == "st" ? "saint" : $0 }
    }

    private static let pairs: [(state: String, capital: String)] = [
        ("Alabama", "Montgomery"), ("Alaska", "Juneau"), ("Arizona", "Phoenix"), ("Arkansas", "Little Rock"),
        ("California", "Sacramento"), ("Colorado", "Denver"), ("Connecticut", "Hartford"), ("Delaware", "Dover"),
        ("Florida", "Tallahassee"), ("Georgia", "Atlanta"), ("Hawaii", "Honolulu"), ("Idaho", "Boise"),
        ("Illinois", "Springfield"), ("Indiana", "Indianapolis"), ("Iowa", "Des Moines"), ("Kansas", "Topeka"),
        ("Kentucky", "Frankfort"), ("Louisiana", "Baton Rouge"), ("Maine", "Augusta"), ("Maryland", "Annapolis"),
        ("Massachusetts", "Boston"), ("Michigan", "Lansing"), ("Minnesota", "Saint Paul"), ("Mississippi", "Jackson"),
        ("Missouri", "Jefferson City"), ("Montana", "Helena"), ("Nebraska", "Lincoln"), ("Nevada", "Carson City"),
        ("New Hampshire", "Concord"), ("New Jersey", "Trenton"), ("New Mexico", "Santa Fe"), ("New York", "Albany"),
        ("North Carolina", "Raleigh"), ("North Dakota", "Bismarck"), ("Ohio", "Columbus"),
        ("Oklahoma", "Oklahoma City"), ("Oregon", "Salem"), ("Pennsylvania", "Harrisburg"),
        ("Rhode Island", "Providence"), ("South Carolina", "Columbia"), ("South Dakota", "Pierre"),
        ("Tennessee", "Nashville"), ("Texas", "Austin"), ("Utah", "Salt Lake City"), ("Vermont", "Montpelier"),
        ("Virginia", "Richmond"), ("Washington", "Olympia"), ("West Virginia", "Charleston"),
        ("Wisconsin", "Madison"), ("Wyoming", "Cheyenne"),
    ]
}
