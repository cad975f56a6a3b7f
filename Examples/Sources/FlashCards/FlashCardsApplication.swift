// FlashCards: a quiz of states and capitals that stores the results of finished games.
import CoreData
import Foundation
import TableScreens

/// The application.
public let flashCardsApplication = TableApplication(
    name: "FlashCards",
    title: "FlashCards",
    summary: "States and capitals, one card at a time, and how you did.",
    symbol: "?",
    tint: .purple,
    modelName: "FlashCards",
    screens: [HomeScreen(), PlayScreen(), HistoryScreen(), GameScreen(), CardScreen()],
    proves: "A store of model version 1 opens by an inferred migration; prefetching reads all cards of the history.",
    samples: { try GameResult.insertSamples(in: $0) }
)
