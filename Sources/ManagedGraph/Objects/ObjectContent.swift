// An object's values in one word. Owned by a managed object; read through its `rows`, `edits` and `page`.
//
// | lowest bits | the word refers to |
// | --- | --- |
// | 0 | the rows of an unchanged object; nothing if the word is 0 |
// | 1 | the page of a fault |
// | 2 | rows and a page (`PagedRows`) |
// | 3 | own values (`Edits`), which hold rows and a page, too |
//
// Most objects of a context are unchanged, and a fault of a page has no rows, so one word serves for three.
import GraphEngine

/// The source of an object's values.
struct ObjectContent {
    private var bits: UInt = 0

    private enum Kind {
        static let rows: UInt = 0
        static let page: UInt = 1
        static let parts: UInt = 2
        static let edits: UInt = 3
    }

    @inline(__always) private var kind: UInt { bits & 3 }
    @inline(__always) private var pointer: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: bits & ~3) }

    @inline(__always)
    private func object<T: AnyObject>(_ type: T.Type) -> Unmanaged<T> {
        // The word contains an address for every kind except `rows`.
        Unmanaged<T>.fromOpaque(pointer.unsafelyUnwrapped)
    }

    @inline(__always)
    private static func word(_ object: AnyObject, _ kind: UInt) -> UInt {
        UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()) | kind
    }

    /// Makes the word refer to parts, which it retains.
    @inline(__always)
    private mutating func hold(_ parts: ObjectParts, _ kind: UInt) {
        bits = Self.word(Unmanaged.passRetained(parts).takeUnretainedValue(), kind)
    }

    /// The parts; nil if the word refers to rows, to a page or to nothing.
    @inline(__always)
    private var parts: ObjectParts? {
        bits & 2 == 0 ? nil : object(ObjectParts.self).takeUnretainedValue()
    }

    // MARK: Rows

    /// The rows, which the word or its parts own.
    @inline(__always)
    var rows: Unmanaged<RowBatch>? {
        if kind == Kind.rows { return pointer.map { Unmanaged<RowBatch>.fromOpaque($0) } }
        return bits & 2 == 0 ? nil : object(ObjectParts.self)._withUnsafeGuaranteedRef { $0.rows }
    }

    /// Whether there are rows, and neither a page nor values of the object's own.
    @inline(__always)
    var hasRowsOnly: Bool { kind == Kind.rows && bits != 0 }

    @inline(__always)
    mutating func setRows(_ rows: RowBatch?) {
        guard kind == Kind.rows else { return setRowsSlowly(rows) }
        let former = self.rows
        bits = rows.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
        former?.release()
    }

    @inline(never)
    private mutating func setRowsSlowly(_ rows: RowBatch?) {
        let owned = rows.map { Unmanaged.passRetained($0) }
        if let parts {
            let former = parts.rows
            parts.rows = owned
            former?.release()
        } else if let owned {
            let page = object(FaultPage.self)
            hold(PagedRows(rows: owned, page: page.takeUnretainedValue()), Kind.parts)
            page.release()
        }
    }

    // MARK: Page

    var page: FaultPage? {
        if kind == Kind.page { return object(FaultPage.self).takeUnretainedValue() }
        return parts?.page
    }

    mutating func setPage(_ page: FaultPage?) {
        switch kind {
        case Kind.rows:
            guard let page else { return }
            if let rows {
                // The parts take over the ownership of the rows.
                hold(PagedRows(rows: rows, page: page), Kind.parts)
            } else {
                bits = Self.word(Unmanaged.passRetained(page).takeUnretainedValue(), Kind.page)
            }
        case Kind.page:
            let former = object(FaultPage.self)
            bits = page.map { Self.word(Unmanaged.passRetained($0).takeUnretainedValue(), Kind.page) } ?? 0
            former.release()
        case Kind.parts where page == nil: dissolve()
        default: parts?.page = page
        }
    }

    /// Gives rows to a fault that has nothing but a page; returns false for other objects, and for a page that its
    /// objects keep.
    @inline(__always)
    mutating func replacePage(by rows: RowBatch) -> Bool {
        guard kind == Kind.page else { return false }
        let page = object(FaultPage.self)
        guard page._withUnsafeGuaranteedRef({ $0.siblings == nil }) else { return false }
        bits = UInt(bitPattern: Unmanaged.passRetained(rows).toOpaque())
        page.release()
        return true
    }

    // MARK: Own values

    /// The edits, which the word owns.
    @inline(__always)
    var uncountedEdits: Unmanaged<Edits>? { kind == Kind.edits ? object(Edits.self) : nil }

    @inline(__always)
    var edits: Edits? { kind == Kind.edits ? object(Edits.self).takeUnretainedValue() : nil }

    /// Whether there is neither a row nor a page nor a value.
    @inline(__always)
    var isEmpty: Bool { bits == 0 }

    /// Gives content to an object that has none.
    @inline(__always)
    mutating func setNewEdits(_ edits: __owned Edits) {
        bits = UInt(bitPattern: Unmanaged.passRetained(edits).toOpaque()) | Kind.edits
    }

    mutating func setEdits(_ edits: Edits?) {
        guard let edits else {
            if kind == Kind.edits { dissolve() }
            return
        }
        if kind == Kind.edits, self.edits === edits { return }
        switch kind {
        case Kind.rows:
            edits.rows = rows
            hold(edits, Kind.edits)
        case Kind.page:
            let page = object(FaultPage.self)
            edits.page = page.takeUnretainedValue()
            hold(edits, Kind.edits)
            page.release()
        default:
            let former = object(ObjectParts.self)
            former._withUnsafeGuaranteedRef { parts in
                edits.rows = parts.rows
                edits.page = parts.page
                parts.rows = nil
                parts.page = nil
            }
            hold(edits, Kind.edits)
            former.release()
        }
    }

    /// Keeps the rows and the page of the parts, without own values.
    private mutating func dissolve() {
        let former = object(ObjectParts.self)
        let (rows, page) = former._withUnsafeGuaranteedRef { parts in
            defer {
                parts.rows = nil
                parts.page = nil
            }
            // Removing edits keeps the page; other parts are dissolved only to remove it.
            return (parts.rows, kind == Kind.edits ? parts.page : nil)
        }
        if let page {
            bits = 0
            if let rows {
                hold(PagedRows(rows: rows, page: page), Kind.parts)
            } else {
                setPage(page)
            }
        } else {
            bits = rows.map { UInt(bitPattern: $0.toOpaque()) } ?? 0
        }
        former.release()
    }

    /// Releases all; the word must not be read after that.
    @inline(__always)
    func release() {
        guard let pointer else { return }
        if kind == Kind.rows {
            Unmanaged<RowBatch>.fromOpaque(pointer).release()
        } else {
            Unmanaged<AnyObject>.fromOpaque(pointer).release()
        }
    }
}
