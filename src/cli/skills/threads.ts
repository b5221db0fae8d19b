/** The threads for `svc skills validate --all`, when there is enough to do for more than one. */
import { availableParallelism } from 'node:os'
import type { Clock } from '../../runtime/clock.ts'
import type { SkillCheck, ValidationChunk } from '../../skills/validate/check-skill.ts'
import type { ValidateAllOptions } from '../../skills/validate/validate.ts'
import { threadFile } from '../../workers/thread-file.ts'
import { programFile } from '../program-file.ts'

/** Fewer are finished sooner than threads are up and warm. */
const SKILLS_LEAST = 2_000
const THREADS_MOST = 4
/** A piece takes some 20 ms; this is for a file system that has stopped to answer. */
const PIECE_MS = 60_000
const PIECE_SKILLS = 250

export interface Threads {
  options: Pick<ValidateAllOptions, 'runChunk' | 'parallel' | 'chunkSkills'>
  close(): Promise<void>
}

/** Undefined when this thread does as well alone. */
export const threadsFor = async (
  skills: number,
  clock: Clock,
  stop: () => AbortSignal,
): Promise<Threads | undefined> => {
  const threads = Math.min(THREADS_MOST, availableParallelism())
  const file = skills < SKILLS_LEAST ? undefined : threadFile(programFile(), 'validate')
  if (file === undefined) return undefined
  const stopped = stop()
  const { createPool } = await import('../../workers/pool.ts')
  const pool = createPool<ValidationChunk, SkillCheck[]>({ file, name: 'checkSkills', threads })
  const runChunk = async (chunk: ValidationChunk) => {
    const late = new AbortController()
    const timer = clock.at(clock.now() + PIECE_MS, () => late.abort())
    try {
      return await pool.run(chunk, AbortSignal.any([stopped, late.signal]))
    } finally {
      timer.cancel()
    }
  }
  return { options: { runChunk, parallel: threads, chunkSkills: PIECE_SKILLS }, close: pool.close }
}
