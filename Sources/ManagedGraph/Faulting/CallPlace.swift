// The place in a program that called the framework: its return addresses, whose lines are looked up for a report only.
// Recorded by fetches if the faultingPolicy requires it, reported by FaultReport.
import Foundation
import Synchronization

#if canImport(Runtime) && !canImport(Darwin)
    private import Runtime

    /// A place in a program.
    struct CallPlace {
        /// The first calls that may be the program's.
        private let callers: Backtrace

        /// The framework's and the system's frames that are looked through.
        private static let depth = 64
        /// The frames of `callers`: looking up the line of each one reads all lines of the program's debug information.
        private static let callersDepth = 4
        private static let images = ImageMap.capture()
        /// Resolved calls by return address.
        private static let resolvedCalls = Mutex<[UInt64: Call]>([:])
        /// Whether calls are the framework's own or the system's, by return address.
        private static let ownCalls = Mutex<[UInt64: Bool]>([:])
        /// The folder of the framework's sources.
        private static let sources =
            URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path + "/"

        /// The place of the caller, in some microseconds; nil if the stack cannot be read.
        @inline(never)
        static func capture() -> CallPlace? {
            do {
                let stack = try Backtrace.capture(algorithm: .fast, limit: depth, top: 0, images: images)
                return CallPlace(
                    callers: try Backtrace.capture(
                        algorithm: .fast,
                        limit: callersDepth,
                        offset: countOfOwnCalls(stack),
                        top: 0,
                        images: images
                    )
                )
            } catch {
                Diagnosis.log.debug("The stack cannot be read: \(error)")
                return nil
            }
        }

        /// The number of calls before the first one that may be the program's.
        private static func countOfOwnCalls(_ stack: Backtrace) -> Int {
            let addresses = stack.frames.map { UInt64($0.originalProgramCounter) }
            return ownCalls.withLock { ownCalls in
                lazy var names = symbols(stack)
                return addresses.prefix { address in
                    guard let address else { return false }
                    if let isOwn = ownCalls[address] { return isOwn }
                    let isOwn = names[address].map(isOwn) ?? false
                    ownCalls[address] = isOwn
                    return isOwn
                }
                .count
            }
        }

        /// The functions of a stack by return address; lines are not looked up.
        private static func symbols(_ stack: Backtrace) -> [UInt64: SymbolicatedBacktrace.Symbol] {
            guard let symbolicated = stack.symbolicated(with: images, options: []) else { return [:] }
            var symbols: [UInt64: SymbolicatedBacktrace.Symbol] = [:]
            for frame in symbolicated.frames {
                guard let address = UInt64(frame.captured.originalProgramCounter) else { continue }
                symbols[address] = frame.symbol
            }
            return symbols
        }

        /// Whether a function was compiled with the framework, or is one of the system's between its calls.
        ///
        /// A specialized one may contain code of the program, and the program's extensions have the names of the types
        /// that they extend.
        private static func isOwn(_ symbol: SymbolicatedBacktrace.Symbol) -> Bool {
            if systemLibraries.contains(where: symbol.imageName.hasPrefix) { return true }
            let name = symbol.name
            // A conversion between the forms of closures has no line.
            if name.contains("reabstraction thunk") { return true }
            return symbol.rawName.hasPrefix("$s12ManagedGraph") && !name.contains("specialization")
                && !name.contains("(extension in ")
        }

        private static let systemLibraries = ["libswift", "libdispatch.", "libFoundation", "libc."]

        /// The first caller outside of the framework, as `main.swift:12`; its name if the program has no debug
        /// information.
        var text: String? {
            let addresses = callers.frames.compactMap { UInt64($0.originalProgramCounter) }
            return Self.resolvedCalls.withLock { resolvedCalls in
                // All calls up to the first line of the program must be resolved.
                for address in addresses {
                    guard let call = resolvedCalls[address] else {
                        learn(&resolvedCalls)
                        break
                    }
                    if let line = call.line { return line }
                }
                let calls = addresses.compactMap { resolvedCalls[$0] }
                return calls.lazy.compactMap(\.line).first ?? calls.lazy.compactMap(\.name).first
            }
        }

        /// Resolves all calls.
        private func learn(_ resolvedCalls: inout [UInt64: Call]) {
            guard let symbolicated = callers.symbolicated(with: Self.images, options: [.showSourceLocations]) else {
                return
            }
            for frame in symbolicated.frames {
                guard let address = UInt64(frame.captured.originalProgramCounter) else { continue }
                // Several frames share an address if calls were inlined; the innermost one of the program counts.
                if resolvedCalls[address]?.line == nil { resolvedCalls[address] = Call(frame.symbol) }
            }
        }

        /// One call on a stack.
        private struct Call {
            /// The file and the line, for code of the program.
            private(set) var line: String?
            /// The function, for code without debug information outside of the framework.
            private(set) var name: String?

            init(_ symbol: SymbolicatedBacktrace.Symbol?) {
                guard let symbol else { return }
                guard let location = symbol.sourceLocation else {
                    if !symbol.rawName.contains("12ManagedGraph") { name = symbol.name }
                    return
                }
                guard location.line > 0, location.path.hasPrefix("/"), !location.path.hasPrefix(CallPlace.sources)
                else {
                    return
                }
                line = "\(URL(filePath: location.path).lastPathComponent):\(location.line)"
            }
        }
    }
#else
    /// A place in a program; the standard library cannot read the stack here.
    struct CallPlace {
        static func capture() -> CallPlace? { nil }
        var text: String? { nil }
    }
#endif
