/** Notices what other processes append: the file system tells at once, and a slow look covers those that do not. */
import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Clock, Timer } from '../clock.ts'
import { markPath } from './mark.ts'

export interface WatchOptions {
  path: string
  clock: Clock
  changed: () => void
}

const LOOK_MS = 1_000
const LOOK_UNTOLD_MS = 100

/** Watches the mark and not the WAL: the WAL changes before the commit is there to be read. Returns the end of it. */
export const watchJournal = ({ path, clock, changed }: WatchOptions): (() => void) => {
  const name = basename(markPath(path))
  let every = LOOK_MS
  let timer: Timer | undefined
  let watcher: FSWatcher | undefined

  const look = () => {
    timer = clock.at(
      clock.now() + every,
      () => {
        changed()
        look()
      },
      { idle: true },
    )
  }
  const untold = () => {
    watcher?.close()
    watcher = undefined
    timer?.cancel()
    every = LOOK_UNTOLD_MS
    look()
  }

  look()
  try {
    watcher = watch(dirname(path), { persistent: false }, (_, file) => {
      if (file === null || file === name) changed()
    })
    watcher.on('error', untold)
  } catch {
    untold()
  }
  return () => {
    timer?.cancel()
    watcher?.close()
  }
}
