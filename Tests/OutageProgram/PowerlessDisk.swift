// A disk as a power cut leaves it: content and names that were synced are there; later writes and names are there or not,
// in any combination, and a write may be there in part. Applies recorded operations one by one; a copy of the disk at a
// moment can be written into a folder.
import Foundation
import TestSupport

/// The state of a disk after a number of operations.
struct PowerlessDisk {
    /// The fate of everything that is not synced.
    enum Loss: Int, CaseIterable {
        /// All of it is lost.
        case all
        /// None of it is lost.
        case none
        /// Writes and names are lost or kept one by one.
        case some
        /// Only names are lost, each or not.
        case names
        /// Only content is lost, in parts of 512 bytes.
        case torn
        /// Everything but the latest operation of each file and of the names is kept.
        case latest
        /// Everything but the oldest operation of each file and of the names is kept.
        case oldest
    }

    private enum Node {
        case file(File)
        case folder
        case link(String)
    }

    private struct File {
        var durable: [UInt8] = []
        var pending: [Change] = []
    }

    private enum Change {
        case write(Int, [UInt8])
        case truncate(Int)
    }

    /// Names that change together: paths of folder and name, with their new node, or nil for none.
    private struct Naming {
        var changes: [(folder: Int, name: String, node: Int?)]
        var isDurable = false
    }

    private static let sector = 512
    private var nodes: [Node] = []
    /// The nodes by the numbers of the file system, which it uses again for later files.
    private var numbers: [UInt64: Int] = [:]
    /// The names at the present moment, by folder.
    private var entries: [Int: [String: Int]] = [:]
    private var durableEntries: [Int: [String: Int]] = [:]
    private var pendingNames: [Naming] = []
    /// The last acknowledged step.
    private(set) var step = 0

    /// The content of a folder, all of it durable.
    init(_ folder: URL) throws { _ = try add(folder) }

    private mutating func add(_ url: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        let node = nodes.count
        numbers[(attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0] = node
        switch attributes[.type] as? FileAttributeType {
        case .typeDirectory?:
            nodes.append(.folder)
            var names: [String: Int] = [:]
            for name in try FileManager.default.contentsOfDirectory(atPath: url.path) where !name.hasSuffix("-shm") {
                names[name] = try add(url.appending(path: name))
            }
            entries[node] = names
            durableEntries[node] = names
        case .typeSymbolicLink?:
            nodes.append(.link(try FileManager.default.destinationOfSymbolicLink(atPath: url.path)))
        default:
            nodes.append(.file(File(durable: [UInt8](try Data(contentsOf: url)))))
        }
        return node
    }

    // MARK: Operations

    mutating func apply(_ operation: DiskOperation) throws {
        switch operation {
        case .create(let path, let inode): name(path, new(.file(File()), inode))
        case .folder(let path, let inode):
            let node = new(.folder, inode)
            entries[node] = [:]
            durableEntries[node] = [:]
            name(path, node)
        case .symlink(let path, let target): name(path, new(.link(target), nil))
        case .link(let path, let inode): name(path, numbers[inode])
        case .unlink(let path): name(path, nil)
        case .rename(let from, let to): rename([(from, nil), (to, node(from))])
        case .exchange(let one, let other): rename([(one, node(other)), (other, node(one))])
        case .write(let inode, let offset, let data): change(inode, .write(offset, data))
        case .truncate(let inode, let size): change(inode, .truncate(size))
        case .sync(let inode):
            guard let node = numbers[inode], case .file(var file) = nodes[node] else { return }
            for change in file.pending { Self.apply(change, to: &file.durable) }
            file.pending = []
            nodes[node] = .file(file)
        case .syncFolder(let inode):
            guard let folder = numbers[inode] else { return }
            // A name's later changes build on its earlier ones, in whichever folder these began.
            for index in pendingNames.indices where pendingNames[index].changes.contains(where: { $0.folder == folder })
            {
                pendingNames[index].isDurable = true
            }
        case .acknowledged(let step): self.step = step
        }
    }

    private mutating func new(_ node: Node, _ inode: UInt64?) -> Int {
        nodes.append(node)
        if let inode { numbers[inode] = nodes.count - 1 }
        return nodes.count - 1
    }

    private mutating func change(_ inode: UInt64, _ change: Change) {
        guard let node = numbers[inode], case .file(var file) = nodes[node] else { return }
        nodes[node] = .folder
        file.pending.append(change)
        nodes[node] = .file(file)
    }

    private func place(_ path: String) -> (folder: Int, name: String)? {
        let parts = path.split(separator: "/").map(String.init)
        guard let last = parts.last else { return nil }
        var folder = 0
        for part in parts.dropLast() {
            guard let next = entries[folder]?[part] else { return nil }
            folder = next
        }
        return (folder, last)
    }

    private func node(_ path: String) -> Int? { place(path).flatMap { entries[$0.folder]?[$0.name] } }

    private mutating func name(_ path: String, _ node: Int?) { rename([(path, node)]) }

    private mutating func rename(_ changes: [(path: String, node: Int?)]) {
        let places = changes.compactMap { change in place(change.path).map { ($0.folder, $0.name, change.node) } }
        for (folder, name, node) in places { entries[folder]?[name] = node }
        pendingNames.append(Naming(changes: places))
    }

    private static func apply(_ change: Change, to content: inout [UInt8]) {
        switch change {
        case .truncate(let size):
            if size < content.count {
                content.removeLast(content.count - size)
            } else {
                content += [UInt8](repeating: 0, count: size - content.count)
            }
        case .write(let offset, let data):
            let end = offset + data.count
            if content.count < end { content += [UInt8](repeating: 0, count: end - content.count) }
            content.replaceSubrange(offset..<end, with: data)
        }
    }

    // MARK: The cut

    /// Writes the disk into a new folder, as it is after a power cut.
    func write(to folder: URL, _ loss: Loss, _ random: inout SeededNumbers) throws {
        var names = durableEntries
        var isFirst = true
        for (index, naming) in pendingNames.enumerated() {
            let isLast = index == pendingNames.count - 1
            let isKept =
                naming.isDurable || Self.isKept(loss, isFirst: isFirst, isLast: isLast, isContent: false, &random)
            if !naming.isDurable { isFirst = false }
            guard isKept else { continue }
            for change in naming.changes { names[change.folder, default: [:]][change.name] = change.node }
        }
        try write(0, to: folder, names, loss, &random)
    }

    private static func isKept(
        _ loss: Loss,
        isFirst: Bool,
        isLast: Bool,
        isContent: Bool,
        _ random: inout SeededNumbers
    ) -> Bool {
        switch loss {
        case .all: false
        case .none: true
        case .some: random.chance(50)
        case .names: isContent || random.chance(50)
        case .torn: !isContent || random.chance(50)
        case .latest: !isLast
        case .oldest: !isFirst
        }
    }

    private func write(
        _ node: Int,
        to url: URL,
        _ names: [Int: [String: Int]],
        _ loss: Loss,
        _ random: inout SeededNumbers
    ) throws {
        switch nodes[node] {
        case .folder:
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
            for (name, child) in (names[node] ?? [:]).sorted(by: { $0.key < $1.key }) {
                try write(child, to: url.appending(path: name), names, loss, &random)
            }
        case .link(let target):
            try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: target)
        case .file(let file):
            var content = file.durable
            for (index, change) in file.pending.enumerated() {
                let isLast = index == file.pending.count - 1
                guard loss == .torn, case .write(let offset, let data) = change else {
                    let isKept = Self.isKept(loss, isFirst: index == 0, isLast: isLast, isContent: true, &random)
                    if isKept { Self.apply(change, to: &content) }
                    continue
                }
                var start = 0
                while start < data.count {
                    let end = min(data.count, (offset + start) / Self.sector * Self.sector + Self.sector - offset)
                    if random.chance(70) {
                        Self.apply(.write(offset + start, Array(data[start..<end])), to: &content)
                    }
                    start = end
                }
            }
            try Data(content).write(to: url)
        }
    }

    /// The number of operations that a power cut can undo now.
    var pendingCount: Int {
        nodes.reduce(pendingNames.count { !$0.isDurable }) { sum, node in
            if case .file(let file) = node { sum + file.pending.count } else { sum }
        }
    }
}
