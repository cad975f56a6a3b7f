import CSwiftRuntime

/// The objects of the identity map by primary key, in pages of 64 keys.
///
/// Pages are dense from 1 upwards; a dictionary holds the pages beyond. Larger pages would mostly be cleared for
/// nothing if the keys of a context are far apart.
final class KeyPages {
    /// The entries of a page, and behind them how many of them are in use.
    private typealias Page = UnsafeMutablePointer<UnsafeMutableRawPointer?>
    private static let pageBits: Int64 = 6
    private static let pageSize = 1 << Int(pageBits)
    private static let densePages = 1 << 16
    @exclusivity(unchecked) private var dense: ContiguousArray<UnsafeMutablePointer<UnsafeMutableRawPointer?>?> = []
    private var sparse: [Int64: UnsafeMutablePointer<UnsafeMutableRawPointer?>] = [:]
    /// An empty page for the next use, because objects are also registered and removed one at a time.
    @exclusivity(unchecked) private var spare: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    /// How many pages there are; for tests.
    var pageCount: Int { dense.lazy.filter { $0 != nil }.count + sparse.count }

    deinit {
        removeAll()
        spare?.deallocate()
    }

    /// Frees all pages.
    func removeAll() {
        for page in dense { page?.deallocate() }
        for page in sparse.values { page.deallocate() }
        dense = []
        sparse = [:]
    }

    @inline(__always)
    private func page(_ key: Int64) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
        let number = key >> Self.pageBits
        if number >= 0, number < Int64(Self.densePages) {
            return number < Int64(dense.count) ? dense[Int(number)] : nil
        }
        return sparse[number]
    }

    @inline(__always)
    private func ensurePage(_ key: Int64) -> UnsafeMutablePointer<UnsafeMutableRawPointer?> {
        if let page = page(key) { return page }
        let page = spare ?? Self.makePage()
        spare = nil
        let number = key >> Self.pageBits
        if number >= 0, number < Int64(Self.densePages) {
            while dense.count <= Int(number) { dense.append(nil) }
            dense[Int(number)] = page
        } else {
            sparse[number] = page
        }
        return page
    }

    /// The place of a key in its page.
    @inline(__always)
    private static func entry(_ key: Int64) -> Int { Int(truncatingIfNeeded: key) & (pageSize - 1) }

    private static func makePage() -> UnsafeMutablePointer<UnsafeMutableRawPointer?> {
        let page = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: pageSize + 1)
        page.initialize(repeating: nil, count: pageSize + 1)
        return page
    }

    private static func used(_ page: UnsafeMutablePointer<UnsafeMutableRawPointer?>) -> Int {
        Int(bitPattern: page[pageSize])
    }

    /// Lets go of a page that nothing is in.
    @inline(never)
    private func drop(_ page: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ number: Int64) {
        if number >= 0, number < Int64(Self.densePages) { dense[Int(number)] = nil } else { sparse[number] = nil }
        if spare == nil { spare = page } else { page.deallocate() }
    }

    /// The object under a key, retained, unless it is dying.
    @inline(__always)
    func object(_ key: Int64) -> NSManagedObject? {
        page(key)?[Self.entry(key)].flatMap(Self.living)
    }

    /// Whether no object is under a key, not even a dying one.
    @inline(__always)
    func isFree(_ key: Int64) -> Bool { page(key)?[Self.entry(key)] == nil }

    /// The object at an address, retained, unless it is dying.
    @inline(__always)
    static func living(_ pointer: UnsafeMutableRawPointer) -> NSManagedObject? {
        guard swift_tryRetain(pointer) != nil else { return nil }
        return Unmanaged<NSManagedObject>.fromOpaque(pointer).takeRetainedValue()
    }

    @inline(__always)
    func set(_ key: Int64, _ object: NSManagedObject) {
        let page = ensurePage(key)
        let entry = Self.entry(key)
        if page[entry] == nil { page[Self.pageSize] = UnsafeMutableRawPointer(bitPattern: Self.used(page) + 1) }
        page[entry] = Unmanaged.passUnretained(object).toOpaque()
    }

    func remove(_ key: Int64, _ object: NSManagedObject) {
        let entry = Self.entry(key)
        guard let page = page(key), page[entry] == Unmanaged.passUnretained(object).toOpaque() else { return }
        page[entry] = nil
        let rest = Self.used(page) - 1
        page[Self.pageSize] = UnsafeMutableRawPointer(bitPattern: rest)
        if rest == 0 { drop(page, key >> Self.pageBits) }
    }

    /// How many objects there are, without retaining them.
    var count: Int {
        var count = 0
        for page in dense { if let page { count += Self.used(page) } }
        for page in sparse.values { count += Self.used(page) }
        return count
    }

    func allObjects() -> [NSManagedObject] {
        var result: [NSManagedObject] = []
        result.reserveCapacity(count)
        for page in dense { if let page { Self.append(page, to: &result) } }
        for page in sparse.values { Self.append(page, to: &result) }
        return result
    }

    private static func append(
        _ page: UnsafeMutablePointer<UnsafeMutableRawPointer?>,
        to result: inout [NSManagedObject]
    ) {
        var rest = used(page)
        for entry in 0..<pageSize where rest > 0 {
            guard let pointer = page[entry] else { continue }
            rest -= 1
            if let object = living(pointer) { result.append(object) }
        }
    }
}
