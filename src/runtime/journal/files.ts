/** The journal's use of the file system that is answered from outside of the event loop, and the identity of its file. */
import { type Disk, openDisk } from './disk.ts'
import { fileIdentity } from './file-problems.ts'
import { type WatchOptions, watchJournal } from './subscriptions.ts'

export interface JournalFiles {
  /** Brings what was committed to the disk. */
  openDisk(path: string): Disk
  /** Tells the file at the path from every other one that was or will be there. */
  identity(path: string): string | undefined
  /** Calls `changed` after other processes have written. Returns the end of it. */
  watch(options: WatchOptions): () => void
}

export const systemJournalFiles: JournalFiles = { openDisk, identity: fileIdentity, watch: watchJournal }
