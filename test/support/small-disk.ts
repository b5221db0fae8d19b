/** A file system of its own, small enough to be filled. */
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  path: string
  /** Leaves no byte free. */
  fill(): void
  empty(): void
  /** Makes files until there is no room for one more. */
  fillInodes(): void
  makeReadOnly(): void
  remove(): void
}

/** Undefined, with the reason printed, where this process may not mount. */
export const smallDisk = (options = 'size=2m'): SmallDisk | undefined => {
  const path = mkdtempSync(join(tmpdir(), 'svc-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path], { stdio: 'pipe' })
  } catch (error) {
    rmSync(path, { recursive: true })
    console.warn(`skipped: a small disk cannot be mounted: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
  const filler = join(path, 'filler')
  const untilFull = (step: (index: number) => void) => {
    try {
      for (let index = 0; ; index++) step(index)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
  return {
    path,
    fill: () => {
      const file = openSync(filler, 'a')
      const page = Buffer.alloc(4_096)
      untilFull(() => writeSync(file, page))
      closeSync(file)
    },
    empty: () => rmSync(filler, { force: true }),
    fillInodes: () => untilFull(index => closeSync(openSync(join(path, `file-${index}`), 'w'))),
    makeReadOnly: () => void execFileSync('mount', ['-o', 'remount,ro', path], { stdio: 'pipe' }),
    remove: () => {
      execFileSync('umount', ['-l', path])
      rmSync(path, { recursive: true, force: true })
    },
  }
}
