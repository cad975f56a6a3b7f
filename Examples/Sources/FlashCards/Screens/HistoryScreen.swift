// The finished games.
import CoreData
import Foundation
import TableScreens

/// All games, the latest first.
struct HistoryScreen: Screen {
    let path = "history"

    func page(at place: Place) throws -> Page {
        let request: NSFetchRequest<GameResult> = GameResult.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "gameDate", ascending: false)]
        request.relationshipKeyPathsForPrefetching = ["cardResults"]
        return Page(
            title: "History",
            back: Link("Done", to: place.link([])),
            table: .fetched(
                request,
                allowsDelete: true,
                hasSubtitles: true,
                emptyText: "No games yet. Play one to its end."
            ) { game in
                Row(
                    id: place.reference(game),
                    title: game.gameDate.map { .date($0, .moment) } ?? .placeholder("Undated"),
                    subtitle: .text("\(game.length), \(game.score)%"),
                    decoration: .meter(Double(game.score) / 100),
                    action: .open(place.link(["game", .object(game)]))
                )
            }
        )
    }

    func perform(_ action: Action, at place: Place) throws -> Outcome {
        guard action.name == "delete" else { throw ScreenError.unknownAction(action.name) }
        place.context.delete(try place.object(GameResult.self, in: action))
        try place.context.save()
        return .stay
    }
}
