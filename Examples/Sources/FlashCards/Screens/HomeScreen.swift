// The first screen of the quiz.
import CoreData
import Foundation
import TableScreens

/// The two games and the history.
struct HomeScreen: Screen {
    let path = ""

    func page(at place: Place) throws -> Page {
        Page(
            title: "FlashCards",
            table: .computed {
                let games = try place.context.count(for: NSFetchRequest<GameResult>(entityName: "GameResult"))
                return Deck.allCases.map { deck in
                    Row(
                        id: deck.rawValue,
                        title: .text(deck.title),
                        value: .text(deck == .states ? "Name the state" : "Name the capital"),
                        action: .open(place.link(["play", .word(deck.rawValue)]))
                    )
                } + [
                    Row(
                        id: "history",
                        title: "History",
                        value: games == 0 ? .placeholder("No games") : .text(games == 1 ? "1 game" : "\(games) games"),
                        action: .open(place.link(["history"]))
                    )
                ]
            }
        )
    }
}
