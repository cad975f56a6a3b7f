// Tests the asynchronous sequence of notifications.
import ApplePlatformShims
import ExpectationSupport
import Foundation
import Testing

#if !canImport(ObjectiveC)
    @Suite("Notifications as a sequence")
    struct NotificationSequenceTests {
        private let name = Notification.Name("Something")

        @Test("Notifications are kept until they are read, in their order, from the chosen sender alone")
        func sender() async {
            let center = NotificationCenter()
            let sender = NSObject()
            var iterator = center.notifications(named: name, object: sender).makeAsyncIterator()
            for number in 1...20 {
                center.post(name: name, object: nil, userInfo: ["number": 0])
                center.post(name: name, object: sender, userInfo: ["number": number])
            }
            var numbers: [Int?] = []
            for _ in 1...20 { numbers.append(await iterator.next()?.userInfo?["number"] as? Int) }
            expectEqual(numbers, Array(1...20))
        }

        @Test("The sequence of a cancelled task ends, and so does that of a sender that is gone")
        func end() async {
            let name = name
            let task = Task {
                var count = 0
                for await _ in NotificationCenter.default.notifications(named: name) { count += 1 }
                return count
            }
            task.cancel()
            let count = await task.value
            expectEqual(count, 0)
            let sequence = NotificationCenter.default.notifications(named: name, object: NSObject())
            for await _ in sequence { Issue.record("the sender is gone") }
        }

        @Test("Isolated code reads notifications, which are not sendable, on its actor")
        @MainActor
        func isolation() async {
            let center = NotificationCenter()
            var iterator = center.notifications(named: name).makeAsyncIterator()
            center.post(name: name, object: nil)
            let notification = await iterator.next(isolation: MainActor.shared)
            expectEqual(notification?.name, name)
        }
    }
#endif
