/** Says which of some files are not as they were: the system tells of changes, and where it cannot, they are looked at. */
import { type FSWatcher, watch } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Clock, pause } from '../../../runtime/clock.ts'

/** An editor writes a file in several steps, and several files one after the other. */
const QUIET_MS = 300
/** However much goes on in the folders, nobody waits longer. */
const QUIET_MS_MAX = 3_000
/** Where the system does not tell. */
const LOOK_EVERY_MS = 1_000
/** Where it does: what it may have missed is found then. */
const LOOK_AT_LEAST_EVERY_MS = 60_000

const FLOW_FILE = /\.ya?ml$/i

/** A folder is as it was while it holds the same flows. */
const fingerprint = async (path: string): Promise<string> => {
  try {
    const stats = await stat(path)
    if (!stats.isDirectory()) return `${stats.mtimeMs} ${stats.size} ${stats.ino}`
    const names = await readdir(path)
    return names
      .filter(name => FLOW_FILE.test(name))
      .sort()
      .join('\0')
  } catch {
    return ''
  }
}

export const createFileWatch = (clock: Clock, openWatch: typeof watch = watch) => {
  const known = new Map<string, string>()
  const watchers = new Map<string, FSWatcher>()
  /** Folders of which the system does not tell. */
  const untold = new Set<string>()
  let events = 0
  let onEvent = () => {}

  const heard = () => {
    events += 1
    onEvent()
  }

  const listen = (folder: string) => {
    if (watchers.has(folder) || untold.has(folder)) return
    const giveUp = () => {
      watchers.get(folder)?.close()
      watchers.delete(folder)
      untold.add(folder)
      heard()
    }
    try {
      const watcher = openWatch(folder, { persistent: false }, heard)
      watchers.set(folder, watcher)
      watcher.on('error', giveUp)
    } catch {
      giveUp()
    }
  }

  const changedPaths = async (): Promise<string[]> => {
    const changed: string[] = []
    for (const [path, before] of known) {
      const now = await fingerprint(path)
      if (now === before) continue
      known.set(path, now)
      changed.push(path)
    }
    return changed
  }

  const nextEvent = async (signal: AbortSignal): Promise<void> => {
    const over = new AbortController()
    const wait = pause(clock, untold.size > 0 ? LOOK_EVERY_MS : LOOK_AT_LEAST_EVERY_MS, over.signal)
    onEvent = () => over.abort()
    const end = () => over.abort()
    signal.addEventListener('abort', end, { once: true })
    await wait.catch(() => {})
    signal.removeEventListener('abort', end)
    onEvent = () => {}
  }

  const quiet = async (signal: AbortSignal): Promise<void> => {
    const latest = clock.elapsed() + QUIET_MS_MAX
    let before = -1
    while (before !== events && clock.elapsed() < latest && !signal.aborted) {
      before = events
      await pause(clock, QUIET_MS, signal).catch(() => {})
    }
  }

  return {
    /** From now on these; what changed of those that were followed before is still to be told. */
    async follow(paths: readonly string[], folders: readonly string[]): Promise<void> {
      const wanted = new Set([...paths, ...folders])
      for (const path of [...known.keys()]) if (!wanted.has(path)) known.delete(path)
      const places = new Set([...paths.map(path => dirname(path)), ...folders])
      for (const [folder, watcher] of watchers) {
        if (places.has(folder)) continue
        watcher.close()
        watchers.delete(folder)
      }
      for (const folder of places) listen(folder)
      for (const path of wanted) if (!known.has(path)) known.set(path, await fingerprint(path))
    },
    /** Empty once the signal has come; with `isAny` also after something else has changed in the folders of the files. */
    async changed(signal: AbortSignal, isAny = false): Promise<string[]> {
      let seen = isAny ? events : 0
      while (!signal.aborted) {
        const before = events
        if (before === seen) await nextEvent(signal)
        if (events !== before || before !== seen) await quiet(signal)
        seen = events
        if (signal.aborted) break
        const paths = await changedPaths()
        if (paths.length > 0 || (isAny && events !== before)) return paths
      }
      return []
    },
    close() {
      for (const watcher of watchers.values()) watcher.close()
      watchers.clear()
      known.clear()
    },
  }
}
