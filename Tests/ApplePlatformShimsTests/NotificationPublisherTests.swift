// Tests Combine-style observation of notifications.
import CombineShims
import ExpectationSupport
import Foundation
import Testing

@Suite("Combine's notification publisher for other platforms")
struct NotificationPublisherTests {
    private final class Model {
        var numbers: [Int] = []
        var last = 0
    }

    @Test("Values pass through the operators until the observation ends")
    func operators() {
        let center = NotificationCenter()
        let name = Notification.Name("changed")
        let model = Model()
        var kept: Set<AnyCancellable> = []
        center.publisher(for: name).compactMap { $0.object as? Int }.filter { $0 > 1 }.map { $0 * 10 }
            .sink { model.numbers.append($0) }.store(in: &kept)
        center.publisher(for: name).map { ($0.object as? Int) ?? -1 }.assign(to: \.last, on: model).store(in: &kept)
        for number in 1...3 { center.post(name: name, object: number) }
        center.post(name: Notification.Name("other"), object: 9)
        expectEqual(model.numbers, [20, 30])
        expectEqual(model.last, 3)
        kept.removeAll()
        center.post(name: name, object: 4)
        expectEqual(model.numbers, [20, 30])
        expectEqual(model.last, 3)
    }

    @Test("Passes on only the notifications of the given object")
    func object() {
        let center = NotificationCenter()
        let (one, other) = (NSObject(), NSObject())
        var count = 0
        let observation = center.publisher(for: Notification.Name("x"), object: one).sink { _ in count += 1 }
        center.post(name: Notification.Name("x"), object: other)
        center.post(name: Notification.Name("x"), object: one)
        expectEqual(count, 1)
        observation.cancel()
        center.post(name: Notification.Name("x"), object: one)
        expectEqual(count, 1)
    }

    @Test("receive(on:) delivers on the queue, in order, and nothing after cancellation")
    func queue() async {
        let center = NotificationCenter()
        let name = Notification.Name("x")
        let queue = DispatchQueue(label: "notifications")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let numbers = AsyncStream<Int>.makeStream()
        let observation = center.publisher(for: name).receive(on: queue).sink { notification in
            if DispatchQueue.getSpecific(key: key) == true {
                numbers.continuation.yield(notification.object as? Int ?? -1)
            }
        }
        for number in 1...3 { center.post(name: name, object: number) }
        var received: [Int] = []
        for await number in numbers.stream {
            received.append(number)
            if received.count == 3 { break }
        }
        expectEqual(received, [1, 2, 3])
        queue.suspend()
        center.post(name: name, object: 4)
        observation.cancel()
        queue.resume()
        queue.sync {}
        numbers.continuation.finish()
        for await number in numbers.stream { Issue.record("delivered after the end: \(number)") }
    }
}
