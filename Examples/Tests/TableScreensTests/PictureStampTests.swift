import Foundation
import Testing

@testable import TableScreens

@Suite("Stamps that distinguish pictures, and files that wait for a form")
struct PictureStampTests {
    @Test("No picture has no stamp, and the same bytes have the same one wherever they stand")
    func same() {
        #expect(PictureStamp.text(nil) == "" && PictureStamp.text(Data()) == "")
        let data = Data((0..<1_000).map { UInt8(truncatingIfNeeded: $0) })
        #expect(PictureStamp.text((Data([9]) + data).dropFirst()) == PictureStamp.text(data))
    }

    @Test("Any byte of a small picture makes a difference", arguments: [1, 100, 4_096])
    func small(count: Int) {
        let data = Data(repeating: 7, count: count)
        for place in stride(from: 0, to: count, by: max(1, count / 50)) {
            var other = data
            other[place] = 8
            #expect(PictureStamp.text(other) != PictureStamp.text(data), "byte \(place)")
        }
    }

    @Test("Large pictures differ by their size, their first and last bytes, and whatever goes on for a while")
    func large() {
        let data = Data(repeating: 7, count: 1_000_000)
        let stamp = PictureStamp.text(data)
        #expect(PictureStamp.text(data + [7]) != stamp)
        for range in [0..<1, 999_999..<1_000_000, 300_000..<325_000, 975_000..<1_000_000] {
            var other = data
            other.replaceSubrange(range, with: Data(repeating: 8, count: range.count))
            #expect(PictureStamp.text(other) != stamp, "\(range)")
        }
    }

    @Test("The oldest waiting files go where there are too many, and the last one stays")
    func waiting() {
        let files = KeptFiles()
        let large = Data(count: KeptFiles.limit / 4)
        let tokens = (0..<6).map { files.keep(FormBody.File(name: "\($0)", data: large)) }
        #expect(tokens.map { files.file($0)?.name } == [nil, nil, "2", "3", "4", "5"])
        let token = files.keep(FormBody.File(name: "huge", data: Data(count: KeptFiles.limit + 1)))
        #expect(files.file(token)?.name == "huge" && files.file(tokens[5]) == nil)
        #expect(files.file("") == nil)
    }
}
