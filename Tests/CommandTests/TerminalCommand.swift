// Runs the command in a pseudo-terminal. Used by the tests of colours, progress and interruption.
import Foundation
import Synchronization
import Testing

/// A command running in a terminal of 80 columns.
final class TerminalCommand {
    private let process = Process()
    private let leader: FileHandle
    private let follower: FileHandle
    private let ended = AsyncStream<Void>.makeStream()
    private let isRead: AsyncStream<Void>
    private let screen = Screen()

    /// The output received so far.
    private final class Screen: Sendable {
        private let data = Mutex(Data())
        func add(_ piece: ArraySlice<UInt8>) { data.withLock { $0 += piece } }
        var text: String { data.withLock { String(decoding: $0, as: UTF8.self) } }
        func contains(_ text: String) -> Bool { data.withLock { $0.range(of: Data(text.utf8)) != nil } }
    }

    private typealias OpenTerminal =
        @convention(c) (
            UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<CChar>?,
            UnsafeMutableRawPointer?, UnsafeMutablePointer<winsize>?
        ) -> Int32

    /// `openpty`, which Swift's modules for Linux omit.
    private static let openTerminal = dlsym(dlopen(nil, RTLD_NOW), "openpty").map {
        unsafeBitCast($0, to: OpenTerminal.self)
    }

    struct Failure: Error { let what: String }

    /// Starts the command.
    ///
    /// - Parameters:
    ///   - arguments: All arguments.
    ///   - environment: Variables to add to this process's environment; an empty text removes one.
    ///   - width: The columns of the terminal.
    ///   - interruption: A signal to send as soon as a text is on the screen.
    /// - Throws: If no terminal can be opened.
    init(
        _ arguments: [String],
        environment: [String: String] = [:],
        width: UInt16 = 80,
        interruption: (number: Int32, text: String)? = nil
    ) throws {
        var (descriptor, other): (Int32, Int32) = (-1, -1)
        var size = winsize()
        size.ws_col = width
        size.ws_row = 24
        let isOpen = withUnsafeMutablePointer(to: &size) { size in
            Self.openTerminal.map { $0(&descriptor, &other, nil, nil, size) } == 0
        }
        guard isOpen else { throw Failure(what: "there is no pseudo-terminal: \(String(cString: strerror(errno)))") }
        leader = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        follower = FileHandle(fileDescriptor: other, closeOnDealloc: true)
        var variables = ProcessInfo.processInfo.environment.merging(["TERM": "xterm"]) { $1 }
        variables["NO_COLOR"] = nil
        for (name, value) in environment { variables[name] = value.isEmpty ? nil : value }
        process.executableURL = Command.url
        process.arguments = arguments
        process.environment = variables
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = follower
        process.standardError = follower
        let ending = ended.continuation
        process.terminationHandler = { _ in ending.finish() }
        try process.run()
        try follower.close()
        let (leader, screen, identifier) = (leader, screen, process.processIdentifier)
        let read = AsyncStream<Void>.makeStream()
        isRead = read.stream
        // A dedicated thread: reading the terminal must neither block other tests nor be delayed by them.
        Thread.detachNewThread {
            var interruption = interruption
            // The read fails once all writers have closed the terminal.
            var piece = [UInt8](repeating: 0, count: 4_096)
            while case let count = Foundation.read(leader.fileDescriptor, &piece, piece.count), count > 0 {
                screen.add(piece[..<count])
                guard let wanted = interruption, screen.contains(wanted.text) else { continue }
                interruption = nil
                kill(identifier, wanted.number)
            }
            read.continuation.finish()
        }
    }

    /// Waits for the end and returns the terminal output and the exit status.
    func finish() async -> (screen: String, status: Int32) {
        let identifier = process.processIdentifier
        let stop = Task {
            try await Task.sleep(for: .seconds(60))
            kill(identifier, SIGKILL)
        }
        for await _ in ended.stream {}
        for await _ in isRead {}
        stop.cancel()
        return (screen.text, process.terminationStatus)
    }
}
