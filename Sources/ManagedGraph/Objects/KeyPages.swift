import CSwiftRuntime

/// The objects of the identity map by primary key, in pages of 64 keys.
///
/// Pages are dense from 1 upwards; a dictionary holds the pages beyond. Larger pages would mostly be cleared for
/// nothing if the keys of a context are far apart.
final class KeyPages {
    /// A page: its entries, and how many of them are in use.
    ///
    /// The count is not among the entries: those of a million objects do not fit into a processor's cache, but the
    /// counts do.
    private struct Page {
        let entries: UnsafeMutablePointer<UnsafeMutableRawPointer?>
        var used = 0

        init() {
            entries = .allocate(capacity: pageSize)
            entries.initialize(repeating: nil, count: pageSize)
        }
    }

    private static let pageBits: Int64 = 6
    private static let pageSize = 1 << Int(pageBits)
    private static let densePages = 1 << 16
    @exclusivity(unchecked) private var dense: ContiguousArray<Page?> = []
    private var sparse: [Int64: Page] = [:]
    /// An empty page for the next use, because objects are also registered and removed one at a time.
    @exclusivity(unchecked) private var spare: Page?
    /// The number of objects.
    @exclusivity(unchecked) private(set) var count = 0
    /// The number of pages; for tests.
    var pageCount: Int { dense.lazy.filter { $0 != nil }.count + sparse.count }

    deinit {
        removeAll()
        spare?.entries.deallocate()
    }

    /// Frees all pages.
    func removeAll() {
        for page in dense { page?.entries.deallocate() }
        for page in sparse.values { page.entries.deallocate() }
        dense = []
        sparse = [:]
        count = 0
    }

    /// The entries of a key's page; nil if there is none.
    @inline(__always)
    private func entries(_ key: Int64) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
        let number = key >> Self.pageBits
        if Self.isDense(number) { return number < Int64(dense.count) ? dense[Int(number)]?.entries : nil }
        return sparse[number]?.entries
    }

    @inline(__always)
    private static func isDense(_ number: Int64) -> Bool { number >= 0 && number < Int64(densePages) }

    @inline(never)
    private func addPage(_ number: Int64) -> UnsafeMutablePointer<UnsafeMutableRawPointer?> {
        let page = spare ?? Page()
        spare = nil
        if Self.isDense(number) {
            while dense.count <= Int(number) { dense.append(nil) }
            dense[Int(number)] = page
        } else {
            sparse[number] = page
        }
        return page.entries
    }

    /// Counts entries that were set or, with a negative number, removed; returns how many are in use.
    @inline(__always)
    private func count(_ change: Int, on number: Int64) -> Int {
        count += change
        if Self.isDense(number) {
            // By its address: access to an element of a class's array takes a call.
            return dense.withUnsafeMutableBufferPointer { pages in
                pages[Int(number)]?.used += change
                return pages[Int(number)]?.used ?? 0
            }
        }
        sparse[number]?.used += change
        return sparse[number]?.used ?? 0
    }

    /// The place of a key in its page.
    @inline(__always)
    private static func entry(_ key: Int64) -> Int { Int(truncatingIfNeeded: key) & (pageSize - 1) }

    /// Removes a page without objects.
    @inline(never)
    private func removePage(_ number: Int64) {
        guard let page = Self.isDense(number) ? dense[Int(number)] : sparse[number] else { return }
        if Self.isDense(number) { dense[Int(number)] = nil } else { sparse[number] = nil }
        if spare == nil { spare = page } else { page.entries.deallocate() }
    }

    /// The object under a key, retained, unless it is dying.
    @inline(__always)
    func object(_ key: Int64) -> NSManagedObject? {
        entries(key)?[Self.entry(key)].flatMap(Self.living)
    }

    /// The object at an address, retained, unless it is dying.
    @inline(__always)
    static func living(_ pointer: UnsafeMutableRawPointer) -> NSManagedObject? {
        guard swift_tryRetain(pointer) != nil else { return nil }
        return Unmanaged<NSManagedObject>.fromOpaque(pointer).takeRetainedValue()
    }

    /// Whether a key has an object, which may be dying.
    @inline(__always)
    func contains(_ key: Int64) -> Bool { entries(key)?[Self.entry(key)] != nil }

    @inline(__always)
    func set(_ key: Int64, _ object: NSManagedObject) {
        let place = place(key)
        if place.pointee == nil { _ = count(1, on: key >> Self.pageBits) }
        place.pointee = Unmanaged.passUnretained(object).toOpaque()
    }

    /// Enters the object in a place of memory, without counting a reference to it.
    ///
    /// - Returns: Nil; or, if the key has another object, that object.
    @inline(__always)
    func enter(_ key: Int64, _ object: UnsafeMutablePointer<NSManagedObject>) -> NSManagedObject? {
        object.withMemoryRebound(to: UnsafeMutableRawPointer.self, capacity: 1) { address in
            let place = place(key)
            if place.pointee == address.pointee { return nil }
            if let existing = place.pointee {
                if let other = Self.living(existing) { return other }
            } else {
                _ = count(1, on: key >> Self.pageBits)
            }
            place.pointee = address.pointee
            return nil
        }
    }

    /// The place of a key's entry, on a new page if need be.
    @inline(__always)
    private func place(_ key: Int64) -> UnsafeMutablePointer<UnsafeMutableRawPointer?> {
        (entries(key) ?? addPage(key >> Self.pageBits)) + Self.entry(key)
    }

    @inline(__always)
    func remove(_ key: Int64, _ object: NSManagedObject) {
        let entry = Self.entry(key)
        guard let entries = entries(key), entries[entry] == Unmanaged.passUnretained(object).toOpaque() else { return }
        entries[entry] = nil
        if count(-1, on: key >> Self.pageBits) == 0 { removePage(key >> Self.pageBits) }
    }

    /// Appends all objects; O(pages).
    func appendObjects(to result: inout ContiguousArray<NSManagedObject>) {
        result.reserveCapacity(result.count + count)
        for page in dense { if let page { Self.append(page, to: &result) } }
        for page in sparse.values { Self.append(page, to: &result) }
    }

    private static func append(_ page: Page, to result: inout ContiguousArray<NSManagedObject>) {
        var rest = page.used
        for entry in 0..<pageSize where rest > 0 {
            guard let pointer = page.entries[entry] else { continue }
            rest -= 1
            if let object = living(pointer) { result.append(object) }
        }
    }
}
