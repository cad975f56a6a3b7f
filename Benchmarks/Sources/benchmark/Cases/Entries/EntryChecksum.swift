// The queries that compare the stored entries of all subjects.
import GRDB
import ManagedGraph

/// The queries that compare stored entries.
enum EntryChecksum {
    static let plain = """
        SELECT count(*), total(amount * 4) + total(number >> 8) + total(length(text)) + total(priority) + \
        total(isDone) + total(date) FROM entry
        """
    static let managed = """
        SELECT count(*), total(ZAMOUNT * 4) + total(ZNUMBER >> 8) + total(length(ZTEXT)) + total(ZPRIORITY) + \
        total(ZISDONE) + total(ZDATE) FROM ZENTRY
        """
}
