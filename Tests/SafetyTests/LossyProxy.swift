// A proxy between a program and a database that cuts a connection in the middle of a commit.
import Foundation
import Glibc
import Synchronization

/// Forwards connections of this machine to a server, and cuts one of them once.
final class LossyProxy: Sendable {
    /// The moment at which a connection is cut.
    enum Cut: Sendable {
        /// The server has received the commit and answered; the client gets no reply.
        case reply
        /// The server never receives the commit, and does not detect that the client is gone.
        case request
    }

    private struct State {
        var cut: Cut?
        var marker = Data()
        var accepts = true
        /// Whether connections are refused once one has been cut.
        var refusesLater = false
        var open: [Int32] = []
        var cuts = 0
    }

    let port: Int
    private let listener: Int32
    private let server: Int
    private let state = Mutex(State())

    init(to server: Int) throws {
        self.server = server
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        self.listener = listener
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in
            while case let client = Glibc.accept(listener, nil, nil), client >= 0 { serve(client) }
        }
    }

    /// Cuts the next connection whose client sends the marker.
    func cut(_ cut: Cut, at marker: String, refusesLater: Bool = false) {
        state.withLock {
            $0.cut = cut
            $0.marker = Data(marker.utf8)
            $0.refusesLater = refusesLater
        }
    }

    /// The number of connections that were cut.
    var cuts: Int { state.withLock(\.cuts) }

    /// Accepts connections again.
    func acceptAgain() { state.withLock { $0.accepts = true } }

    /// Stops listening, and closes open connections.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        for file in state.withLock({ $0.open }) { shutdown(file, Int32(SHUT_RDWR)) }
    }

    private func serve(_ client: Int32) {
        guard state.withLock({ $0.accepts }) else {
            close(client)
            return
        }
        let upstream = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = UInt16(server).bigEndian
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(upstream, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            close(client)
            close(upstream)
            return
        }
        state.withLock { $0.open += [client, upstream] }
        /// Whether replies of this connection are dropped.
        let isCut = Flag()
        Thread.detachNewThread { [self] in
            forward(from: client, to: upstream) { data in
                let cut = state.withLock { state -> Cut? in
                    guard let cut = state.cut, data.range(of: state.marker) != nil else { return nil }
                    state.cut = nil
                    state.cuts += 1
                    if state.refusesLater { state.accepts = false }
                    return cut
                }
                guard let cut else { return true }
                isCut.value.store(true, ordering: .sequentiallyConsistent)
                // The server's session stays open without its client.
                if cut == .request { shutdown(client, Int32(SHUT_RDWR)) }
                return cut == .reply
            }
        }
        Thread.detachNewThread { [self] in
            forward(from: upstream, to: client) { _ in
                guard isCut.value.load(ordering: .sequentiallyConsistent) else { return true }
                shutdown(client, Int32(SHUT_RDWR))
                return false
            }
        }
    }

    private final class Flag: Sendable {
        let value = Atomic(false)
    }

    /// Forwards bytes until one side ends, or until `isPassed` returns false for a portion.
    private func forward(from source: Int32, to target: Int32, isPassed: (Data) -> Bool) {
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while case let count = read(source, &buffer, buffer.count), count > 0 {
            guard isPassed(Data(buffer[..<count])) else { return }
            var start = 0
            while start < count, case let written = send(target, Array(buffer[start..<count]), count - start, 0x4000),
                written > 0
            {
                start += written
            }
        }
        shutdown(target, Int32(SHUT_RDWR))
    }
}
