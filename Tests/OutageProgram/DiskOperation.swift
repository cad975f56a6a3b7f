// One recorded operation, as a value. Made by Recording, read by PowerlessDisk.
import CFileCalls
import Foundation

/// An operation that changes files or makes changes durable.
enum DiskOperation {
    case create(path: String, inode: UInt64)
    case folder(path: String, inode: UInt64)
    case symlink(path: String, target: String)
    case link(path: String, inode: UInt64)
    case unlink(path: String)
    case rename(from: String, to: String)
    case exchange(String, String)
    case write(inode: UInt64, offset: Int, data: [UInt8])
    case truncate(inode: UInt64, size: Int)
    case sync(inode: UInt64)
    case syncFolder(inode: UInt64)
    /// A step has returned to the program.
    case acknowledged(Int)

    init?(_ found: file_op) {
        let path = found.path.map { String(cString: $0) } ?? ""
        let other = found.other.map { String(cString: $0) } ?? ""
        switch Int(found.kind) {
        case file_op_create: self = .create(path: path, inode: found.node)
        case file_op_folder: self = .folder(path: path, inode: found.node)
        case file_op_symlink: self = .symlink(path: path, target: other)
        case file_op_link: self = .link(path: path, inode: found.node)
        case file_op_unlink, file_op_rmdir: self = .unlink(path: path)
        case file_op_rename: self = .rename(from: path, to: other)
        case file_op_exchange: self = .exchange(path, other)
        case file_op_write:
            let data = [UInt8](UnsafeBufferPointer(start: found.data, count: Int(found.size)))
            self = .write(inode: found.node, offset: Int(found.offset), data: data)
        case file_op_truncate: self = .truncate(inode: found.node, size: Int(found.size))
        case file_op_sync: self = .sync(inode: found.node)
        case file_op_sync_folder: self = .syncFolder(inode: found.node)
        case file_op_mark: self = .acknowledged(Int(found.offset))
        default: return nil
        }
    }

    /// The operations since the recording began.
    static var recorded: [DiskOperation] {
        (0..<file_calls_count()).compactMap { file_calls_get($0).flatMap { DiskOperation($0.pointee) } }
    }
}

extension DiskOperation: CustomStringConvertible {
    var description: String {
        switch self {
        case .create(let path, let inode): "create \(path) \(inode)"
        case .folder(let path, _): "mkdir \(path)"
        case .symlink(let path, _): "symlink \(path)"
        case .link(let path, let inode): "link \(path) \(inode)"
        case .unlink(let path): "unlink \(path)"
        case .rename(let from, let to): "rename \(from) to \(to)"
        case .exchange(let one, let other): "exchange \(one) and \(other)"
        case .write(let inode, let offset, let data): "write \(inode) at \(offset), \(data.count) bytes"
        case .truncate(let inode, let size): "truncate \(inode) to \(size)"
        case .sync(let inode): "sync \(inode)"
        case .syncFolder(let inode): "sync folder \(inode)"
        case .acknowledged(let step): "acknowledged \(step)"
        }
    }
}
