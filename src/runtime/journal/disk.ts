/** Brings what was committed to the disk, off the event loop; all who ask in the meantime share the next turn. */
import { close, fdatasync, fsync, open } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { asJournalError, JournalError } from './fault.ts'

export interface Disk {
  /** Resolves once everything committed before this call is on the disk. Rejects with JournalError. */
  reach(): Promise<void>
  close(): void
}

const opened = promisify(open)
const synced = promisify(fsync)
const dataSynced = promisify(fdatasync)
const closed = promisify(close)

/** A file that was made since the last power failure is only found again once its directory is on the disk too. */
const syncDirectory = async (path: string) => {
  const directory = await opened(path, 'r')
  await synced(directory).finally(() => closed(directory))
}

/**
 * SQLite commits to its WAL without waiting for the disk; here the WAL is waited for, by a handle of our own. Locks are
 * taken on other files, so closing this handle frees none of them.
 */
export const openDisk = (path: string): Disk => {
  const wal = `${path}-wal`
  let file: number | undefined
  let present: Promise<void> | undefined
  let next: Promise<void> | undefined
  let isClosed = false

  const sync = async () => {
    if (isClosed) throw new JournalError('closed', 'The journal is closed')
    try {
      if (file === undefined) {
        file = await opened(wal, 'r')
        await syncDirectory(dirname(path))
      }
      await dataSynced(file)
    } catch (error) {
      throw asJournalError(error)
    }
  }

  const start = (): Promise<void> => {
    const turn = sync().finally(() => {
      present = undefined
      if (isClosed) release()
    })
    present = turn
    return turn
  }

  const release = () => {
    const held = file
    file = undefined
    if (held !== undefined) close(held, () => {})
  }

  return {
    reach() {
      if (!present) return start()
      // The turn that runs may have begun before the commit.
      next ??= present
        .catch(() => {})
        .then(() => {
          next = undefined
          return start()
        })
      return next
    },
    close() {
      isClosed = true
      if (!present) release()
    },
  }
}
