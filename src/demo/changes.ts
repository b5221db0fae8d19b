/** Notices that a source file of a folder was changed, and waits until the editor is done. */
import { watch } from 'node:fs'
import { type Clock, pause } from '../runtime/clock.ts'

export interface Changes {
  /** Resolves after a change, at once for one that came meanwhile; or when the signal is aborted. */
  next(signal: AbortSignal): Promise<void>
  close(): void
}

const QUIET_MS = 150

export const changesOf = (folder: string, clock: Clock): Changes => {
  let count = 0
  let tell = () => {}
  const watcher = watch(folder, (_, file) => {
    if (file !== null && !file.endsWith('.ts')) return
    count += 1
    tell()
  })
  return {
    async next(signal) {
      await new Promise<void>(resolve => {
        tell = () => {
          signal.removeEventListener('abort', tell)
          resolve()
        }
        signal.addEventListener('abort', tell)
        if (count > 0 || signal.aborted) tell()
      })
      for (let seen = -1; seen !== count && !signal.aborted; ) {
        seen = count
        await pause(clock, QUIET_MS, signal)
      }
      count = 0
    },
    close: () => watcher.close(),
  }
}
