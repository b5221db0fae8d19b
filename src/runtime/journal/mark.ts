/** A side file with the highest position ever committed: SQLite drops the tail of a damaged WAL without reporting it. */
import { closeSync, constants, lstatSync, openSync, readFileSync, writeSync } from 'node:fs'
import { STATE_FILE_MODE } from '../../contracts/limits/limits.ts'
import { bootId } from '../processes/processes.ts'
import { asJournalError } from './fault.ts'

export interface Mark {
  /** The run of the machine in which it was written: only a reboot may take what had not reached the disk. */
  boot: string
  seq: number
}

/** Writes after each commit; its change is also what wakes the other processes, once what they will read is there. */
export interface Marker {
  write(seq: number): void
  close(): void
}

export const markPath = (path: string): string => `${path.replace(/\.db$/, '')}.mark`

const SEQ_CHARS = 16
/** More than this many were never written: the mark is damaged. */
const SEQ_MAX = 2 ** 52

/** The number stands there twice, so that a line read while it is being written is not believed. */
const LINE = /^(\S+) (\d+) (\d+)\n/

export const readMark = (path: string): Mark | undefined => {
  try {
    const [, boot, seq, again] = LINE.exec(readFileSync(markPath(path), 'latin1')) ?? []
    if (!boot || !seq || seq !== again || Number(seq) > SEQ_MAX) return undefined
    return { boot, seq: Number(seq) }
  } catch {
    return undefined
  }
}

/**
 * The highest position that may have been used where the journal file is gone. A mark that cannot be read still says
 * that there was one: no journal counts as fast as the clock, so that its milliseconds are above all that was used.
 */
export const usedSeq = (path: string, now: number): number =>
  readMark(path)?.seq ?? (lstatSync(markPath(path), { throwIfNoEntry: false }) ? now : 0)

const thisBoot = () => (bootId() ?? '-').replace(/\s/g, '_')

export const isOfThisBoot = ({ boot }: Mark): boolean => bootId() !== undefined && boot === thisBoot()

export const openMarker = (path: string): Marker => {
  let file: number
  try {
    file = openSync(markPath(path), constants.O_RDWR | constants.O_CREAT, STATE_FILE_MODE)
  } catch (error) {
    throw asJournalError(error)
  }
  const head = `${thisBoot()} `
  const line = Buffer.alloc(head.length + 2 * SEQ_CHARS + 2, ' ', 'latin1')
  line.write(head, 'latin1')
  line.write('\n', line.length - 1, 'latin1')
  let open = true
  return {
    write: seq => {
      const digits = String(seq).padStart(SEQ_CHARS, '0')
      line.write(digits, head.length, 'latin1')
      line.write(digits, head.length + SEQ_CHARS + 1, 'latin1')
      try {
        writeSync(file, line, 0, line.length, 0)
      } catch {
        // The record is committed. A mark that lags only makes a later check weaker.
      }
    },
    close: () => {
      if (open) closeSync(file)
      open = false
    },
  }
}
