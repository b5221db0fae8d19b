/** The disk of a simulated host with a real journal file on it: what was not synced may go with the power. */
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../../src/runtime/clock.ts'
import { JournalError } from '../../../src/runtime/journal/fault.ts'
import { type JournalFiles, systemJournalFiles } from '../../../src/runtime/journal/files.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { markPath } from '../../../src/runtime/journal/mark.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { ownedClock } from '../clock.ts'
import type { Owner } from '../scheduler.ts'
import { type Begun, type Disk, type DiskOptions, noteBegun } from './disk.ts'
import { writtenTimes } from './written-at.ts'

const SYNC_MS = { min: 1, max: 8 }
const WAKE_MS = { min: 0, max: 5 }

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** Some pages of the journal. */
const TORN_BYTES_MAX = 16_384

/** What stands there is gone, while what follows is as it was. */
const overwrite = (path: string, from: number, bytes: number): void => {
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(bytes), 0, bytes, from)
  closeSync(file)
}

export const sqliteDisk = ({ scheduler, name, wall, alive }: DiskOptions): Disk => {
  const owner = scheduler.owner(name)
  const folder = mkdtempSync(join(tmpdir(), 'svc-world-'))
  const watchers = new Set<{ process: Owner; changed: () => void }>()
  const opened: Journal[] = []
  const begun: Begun[] = []
  let images = 0
  let isClosed = false
  let path = join(folder, 'journal.db')
  /** The bytes of the WAL that survive. What is in the database file itself was synced when it was made. */
  let synced = 0

  const filesOf = (process: Owner): JournalFiles => ({
    identity: systemJournalFiles.identity,
    openDisk: place => ({
      reach: () =>
        new Promise((resolve, reject) => {
          if (!scheduler.cross(process, 'syncs')) return
          const ms = process.random.int(SYNC_MS.min, SYNC_MS.max) + disk.extraMs
          scheduler.post(process, ms, 'has synced', () => {
            if (disk.failsToSync) return reject(new JournalError('failed', 'The disk would not take it'))
            if (place === path) synced = sizeOf(`${path}-wal`)
            if (scheduler.cross(process, 'synced')) resolve()
          })
        }),
      close: () => {},
    }),
    watch: ({ changed }) => {
      const watcher = { process, changed }
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
  })

  const times = writtenTimes(scheduler.now)
  const listeners = new Set<() => void>()
  const written = (by: Owner) => {
    for (const listener of [...listeners]) listener()
    for (const { process, changed } of watchers) {
      if (process === by || process.isDead) continue
      scheduler.post(process, process.random.int(WAKE_MS.min, WAKE_MS.max), 'hears of records', changed)
    }
  }

  const open = (clock: Clock, files: JournalFiles): Journal => {
    // Brought into the file at no time that a power cut would have to know of.
    const journal = openJournal({ path, alive, clock, files, hasUpkeep: true })
    opened.push(journal)
    return journal
  }

  const journalFor = (process: Owner, clock: Clock): Journal => {
    const journal = open(clock, filesOf(process))
    const line: (() => void)[] = []

    /** Takes its time, has its turn in the line, and may be the last deed of its process before or after the commit. */
    const writing =
      <A extends unknown[], T>(what: string, write: (...values: A) => Promise<T>) =>
      (...values: A): Promise<T> => {
        if (!scheduler.cross(process, `writes ${what}`)) return new Promise(() => {})
        if (disk.refusing && what !== 'release') return Promise.reject(disk.refusing)
        return new Promise((resolve, reject) => {
          const begin = () =>
            void write(...values).then(
              value => {
                // The trial is over: nobody waits for a write of a process that was killed.
                if (isClosed) return
                times.upTo(journal.head())
                written(process)
                if (scheduler.cross(process, `wrote ${what}`)) resolve(value)
              },
              error => scheduler.cross(process, `could not write ${what}`) && reject(error),
            )
          if (disk.extraMs === 0 && line.length === 0) return begin()
          line.push(begin)
          scheduler.post(process, disk.extraMs, `comes to ${what}`, () => line.shift()?.())
        })
      }
    const { leases } = journal
    return {
      ...journal,
      append: writing('append', journal.append),
      begin: writing('begin', async (request, record, options) => {
        const result = await journal.begin(request, record, options)
        if (result.granted) noteBegun(begun, scheduler.now(), request, record, options)
        return result
      }),
      saveCheckpoint: writing('saveCheckpoint', journal.saveCheckpoint),
      prune: writing('prune', journal.prune),
      leases: {
        ...leases,
        acquire: writing('acquire', leases.acquire),
        release: writing('release', leases.release),
        renew: writing('renew', leases.renew),
      },
    }
  }

  /**
   * A file system after a power failure: all that was synced, a part of what followed, perhaps with a hole in it, for a
   * disk writes in its own order; and another run of the machine.
   */
  const imageOf = (from: string): string => {
    images += 1
    const place = join(folder, `after-cut-${images}`)
    mkdirSync(place)
    const to = join(place, 'journal.db')
    const size = sizeOf(`${from}-wal`)
    const kept = owner.random.int(Math.min(synced, size), size)
    scheduler.note(owner, `keeps ${kept} of ${size} bytes, ${synced} synced`)
    if (sizeOf(from) > 0) copyFileSync(from, to)
    const torn = kept > synced && owner.random.chance(0.5) ? owner.random.int(synced, kept - 1) : undefined
    if (size > 0) {
      copyFileSync(`${from}-wal`, `${to}-wal`)
      truncateSync(`${to}-wal`, kept)
      if (torn !== undefined) overwrite(`${to}-wal`, torn, Math.min(kept - torn, owner.random.int(1, TORN_BYTES_MAX)))
    }
    if (sizeOf(markPath(from)) > 0) {
      const mark = readFileSync(markPath(from), 'latin1')
      writeFileSync(
        markPath(to),
        mark.replace(/^\S+/, boot => 'before'.padEnd(boot.length, '-')),
        'latin1',
      )
    }
    synced = torn ?? kept
    return to
  }

  let observed: Journal | undefined
  // Made, and on the disk, before the first process comes.
  const clock = ownedClock(scheduler, owner, wall)
  open(clock, systemJournalFiles).close()

  const disk: Disk = {
    owner,
    writtenAt: times.at,
    begun,
    journalFor,
    onWritten(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    store: () => {
      observed ??= openJournal({ path, alive, clock, files: filesOf(owner), readOnly: true })
      return observed
    },
    powerCuts: 0,
    cutPower() {
      disk.powerCuts += 1
      watchers.clear()
      observed?.close()
      observed = undefined
      path = imageOf(path)
      times.cutTo(disk.store().head())
    },
    close() {
      isClosed = true
      observed?.close()
      for (const journal of opened) journal.close()
      rmSync(folder, { recursive: true, force: true })
    },
    refusing: undefined,
    failsToSync: false,
    extraMs: 0,
  }
  return disk
}
