/** `svc skills validate`, in threads where there is enough to do for more than one, and `svc skills compile-artifact`. */

import { availableParallelism } from 'node:os'
import { duration } from '../../../contracts/duration.ts'
import type { Execution } from '../../../contracts/executions/execution.ts'
import type { SkillValidated } from '../../../contracts/skills/skill-commands.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { threadFile } from '../../../runtime/threads/thread-file.ts'
import { compileArtifact } from '../../../service/skills/compile/compile.ts'
import { loadRegistry } from '../../../service/skills/registry/load.ts'
import type { SkillCheck, ValidationChunk } from '../../../service/skills/validate/check-skill.ts'
import { type ValidateAllOptions, validateAll, validateSkill } from '../../../service/skills/validate/validate.ts'
import type { CommandContext, CommandResult } from '../command.ts'
import { programFile } from '../process.ts'
import { fieldsText } from '../text/answer.ts'
import { counted, headline, lines } from '../text/layout.ts'
import type { Page } from '../text/page.ts'
import { planTable } from '../text/plan.ts'
import { safe } from '../text/visible.ts'
import { outcomeOf, placesOf, withRegistry } from './registry.ts'

/** Fewer are finished sooner than threads are up and warm. */
const SKILLS_LEAST = 2_000
const THREADS_MOST = 4
/** A piece takes some 20 ms; this is for a file system that has stopped to answer. */
const PIECE_MS = 60_000
const PIECE_SKILLS = 250

interface Threads {
  options: Pick<ValidateAllOptions, 'runChunk' | 'parallel' | 'chunkSkills'>
  close(): Promise<void>
}

/** Undefined when this thread does as well alone. */
const threadsFor = async (skills: number, clock: Clock, stop: () => AbortSignal): Promise<Threads | undefined> => {
  const threads = Math.min(THREADS_MOST, availableParallelism())
  const file = skills < SKILLS_LEAST ? undefined : threadFile(programFile(), 'validate')
  if (file === undefined) return undefined
  const stopped = stop()
  const { createPool } = await import('../../../runtime/threads/pool.ts')
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

/** Between two lines. */
const EVERY_MS = 1_000

/** How far a long piece of work has come, for a person: a line now and then. */
const progressLines = ({ io, clock }: Pick<CommandContext, 'io' | 'clock'>, what: string) => {
  let next = Number.NEGATIVE_INFINITY
  return (done: number, total: number): void => {
    if (clock.elapsed() < next && done < total) return
    next = clock.elapsed() + EVERY_MS
    io.note(`${done} of ${total} ${what}`)
  }
}

export const compileArtifactOf = (call: CommandContext, recipe: { skillId: string; artifact: string }): CommandResult =>
  withRegistry(call, registry => compileArtifact({ ...recipe, registry, vars: call.text('vars') }))

export const validateOne = (call: CommandContext, skillId: string): CommandResult =>
  withRegistry(call, registry => validateSkill({ registry, skillId, dryRun: call.isOn('dry-run') }))

export const validateAllOf = async (call: CommandContext): Promise<CommandResult> => {
  const loaded = loadRegistry(placesOf(call))
  if (!loaded.ok) return outcomeOf(loaded)
  const { registry } = loaded
  const threads = await threadsFor(registry.skills.length, call.clock, () => call.signal)
  try {
    const onProgress = threads ? progressLines(call, 'skills validated') : undefined
    const dryRun = call.isOn('dry-run')
    const validated = await validateAll({
      registry,
      dryRun,
      ...threads?.options,
      ...(onProgress ? { onProgress } : {}),
    })
    return outcomeOf(validated)
  } finally {
    await threads?.close()
  }
}

interface ValidatedAll {
  valid: true
  totalSkills: number
  registryPath: string
}

const payloadsOf = ({ dryRun }: SkillValidated): string | undefined => {
  if (!dryRun) return undefined
  return dryRun.payloadValidation === 'passed' ? 'valid' : `not checked: ${dryRun.reason}`
}

export const validatedText = (page: Page, output: SkillValidated | ValidatedAll): string => {
  const { registryPath } = output
  if (!('skill' in output)) {
    const head = headline(page, 'ok', `${counted(output.totalSkills, 'skill')} checked, all valid.`)
    return lines(head, fieldsText(page, { registryPath }))
  }
  const { skill, checks } = output
  const fields = { registryPath, ...checks, payloads: payloadsOf(output) }
  return lines(headline(page, 'ok', safe`${skill.id} is valid.`), fieldsText(page, fields))
}

export const compiledText = (page: Page, { execution }: { execution: Execution }): string => {
  const { commandId, timeoutMs, actions } = execution
  const steps = counted(actions.length, 'step')
  return lines(
    headline(
      page,
      'ok',
      safe`Compiled ${commandId}: ${steps} within ${duration(timeoutMs)}. --output json prints the payload for svc exec.`,
    ),
    planTable(page, actions),
  )
}
