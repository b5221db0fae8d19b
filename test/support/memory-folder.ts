/** Where tests have their files: in memory, where the system has a folder for that, because journals wait for the disk. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = '/dev/shm'
/** The tests leave less than this there at the same time. */
const FREE_BYTES_MIN = 4 * 1_024 ** 3

/** Programs of tests are run from there, and containers may forbid that. */
const runsPrograms = (): boolean => {
  const own = mkdtempSync(join(FOLDER, 'svc-tests-'))
  try {
    const program = join(own, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    execFileSync(program)
    return true
  } catch {
    return false
  } finally {
    rmSync(own, { recursive: true })
  }
}

/** Undefined where there is none that is large enough. */
export const memoryFolder = (): string | undefined => {
  try {
    const { bavail, bsize } = statfsSync(FOLDER)
    return bavail * bsize >= FREE_BYTES_MIN && runsPrograms() ? FOLDER : undefined
  } catch {
    return undefined
  }
}
