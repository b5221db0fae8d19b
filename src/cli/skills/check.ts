/** `svc skills validate` and `svc skills compile-artifact`. */
import { compileArtifact } from '../../skills/compile/compile.ts'
import { loadRegistry } from '../../skills/registry/load.ts'
import { validateAll, validateSkill } from '../../skills/validate/validate.ts'
import type { Call, CommandResult } from '../command.ts'
import { outcomeOf, placesOf, withRegistry } from './registry.ts'

/** Between two lines. */
const EVERY_MS = 1_000

/** How far a long piece of work has come, for a person: a line now and then. */
const progressLines = ({ io, clock }: Pick<Call, 'io' | 'clock'>, what: string) => {
  let next = Number.NEGATIVE_INFINITY
  return (done: number, total: number): void => {
    if (clock.elapsed() < next && done < total) return
    next = clock.elapsed() + EVERY_MS
    io.note(`${done} of ${total} ${what}`)
  }
}

export const compileArtifactOf = (call: Call, asked: { skillId: string; artifact: string }): CommandResult =>
  withRegistry(call, registry => compileArtifact({ ...asked, registry, vars: call.text('vars') }))

export const validateOne = (call: Call, skillId: string): CommandResult =>
  withRegistry(call, registry => validateSkill({ registry, skillId, dryRun: call.isOn('dry-run') }))

export const validateAllOf = async (call: Call): Promise<CommandResult> => {
  const loaded = loadRegistry(placesOf(call))
  if (!loaded.ok) return outcomeOf(loaded)
  const { registry } = loaded
  const { threadsFor } = await import('./threads.ts')
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
