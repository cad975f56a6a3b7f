// The place in a program that called the framework: its return addresses, whose lines are looked up only for a report.
// Recorded by fetches if the faultingPolicy requires it, reported by FaultReport.
import Foundation
import Synchronization

#if canImport(Runtime) && !canImport(Darwin)
    private import Runtime

    /// A place in a program.
    struct CallPlace {
        private let stack: Backtrace

        /// Frames that are kept: the framework's own, and some of the program's.
        private static let depth = 20
        private static let images = ImageMap.capture()
        /// Resolved calls by return address: reading a program's debug information is slow.
        private static let resolvedCalls = Mutex<[UInt64: Call]>([:])
        /// The folder of the framework's sources.
        private static let sources =
            URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path + "/"

        /// The place of the caller, in a few microseconds; nil if the stack cannot be read.
        @inline(never)
        static func capture() -> CallPlace? {
            do {
                return CallPlace(stack: try Backtrace.capture(algorithm: .fast, limit: depth, top: 0, images: images))
            } catch {
                Diagnosis.log.debug("The stack cannot be read: \(error)")
                return nil
            }
        }

        /// The first caller outside of the framework, as `main.swift:12`; its name if the program has no debug
        /// information.
        var text: String? {
            let addresses = stack.frames.compactMap { UInt64($0.originalProgramCounter) }
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
            guard let symbolicated = stack.symbolicated(with: Self.images, options: [.showSourceLocations]) else {
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
