// The server of the sample applications: `Examples --port 8080 --data Data`.
import ArgumentParser
import CoreDump
import FlashCards
import Foundation
import GroceryDude
import Logging
import TableScreens
import TaskList
import Tasks

@main
struct ExamplesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Examples",
        abstract: "Serves the sample applications on this machine."
    )

    @Option(help: "The port on 127.0.0.1.")
    var port = 8080

    @Option(help: "The folder for the applications' stores.")
    var data = "Data"

    @Option(
        help: "A PostgreSQL database for the stores, in place of the folder: postgresql://user@host:port/database."
    )
    var store: String?

    @Flag(
        inversion: .prefixedNo,
        help: "Migrate stores of older model versions; without it, their applications show why they cannot open."
    )
    var migration = true

    @Flag(inversion: .prefixedNo, help: "Begin with sample data in applications that have no store yet.")
    var samples = true

    @Option(help: ArgumentHelp("Fill the Tasks application up to this many tasks.", visibility: .hidden))
    var seedTasks = 0

    func validate() throws {
        _ = try storePlace()
        guard (0...65_535).contains(port) else { throw ValidationError("--port takes 0 to 65535.") }
    }

    func run() async throws {
        var logger = Logger(label: "Examples", factory: StreamLogHandler.standardError(label:))
        logger.logLevel = .warning
        let place = try storePlace()
        var applications = [
            taskListApplication, tasksApplication, coreDumpApplication, flashCardsApplication, groceryDudeApplication,
        ]
        if !migration {
            for index in applications.indices { applications[index].migration = .refused }
        }
        var server = try await ScreenServer(applications, storesIn: place, fillsNewStores: samples, logger: logger)
        if seedTasks > 0, let store = server.store(tasksApplication.name) {
            try await Tasks.seedTasks(seedTasks, in: store)
        }
        server.guest = try StudioGuest.make(applications, of: server)
        do {
            try await server.run(port: port) { port in
                print("The sample applications are at http://127.0.0.1:\(port)/ (Ctrl-C stops them).")
                fflush(nil)
            }
        } catch {
            FileHandle.standardError.write(Data("The server stopped: \(Self.explanation(error, port))\n".utf8))
            throw ExitCode.failure
        }
        print("Stopped; all is saved.")
    }

    /// The place that `--store` names, or the folder.
    private func storePlace() throws -> StorePlace {
        guard let store else { return .folder(URL(fileURLWithPath: data)) }
        let place: StorePlace?
        do {
            place = try StorePlace(address: store)
        } catch let error as NSError {
            let remedy = error.localizedRecoverySuggestion.map { " \($0)" } ?? ""
            throw ValidationError(error.localizedDescription + remedy)
        }
        guard let place else { throw ValidationError("--store takes postgresql://user@host:port/database.") }
        return place
    }

    private static func explanation(_ error: any Error, _ port: Int) -> String {
        let description = "\(error)"
        guard description.contains("Address already in use") || description.contains("errno: 98") else {
            return description
        }
        return "port \(port) is in use. Stop the program that has it, or choose another: make run PORT=\(port + 1)"
    }
}
