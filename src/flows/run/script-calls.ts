/** The scripts of one command: recorded with what they saw of the world, so that a later process repeats them alike. */
import type { Command } from '../language/command.ts'
import { type RandomKind, randomOf } from '../script/random-input.ts'
import { type ScriptEffect, ScriptFailure } from '../script/script-answer.ts'
import type { LiveAttempt, RecordEvent, Scope } from './attempt.ts'
import { AttemptStopped, failed } from './failure.ts'

interface ScriptCallsOptions {
  attempt: LiveAttempt
  record: RecordEvent
  index: number
  now: number
  /** One entry for each evaluation that saw something. */
  recorded: readonly unknown[]
}

interface At {
  readonly file: string
  readonly line: number
  readonly env: Readonly<{ [name: string]: string }>
  readonly isFile?: boolean
}

/** The place of the scripts in a command. */
export const placeOf = ({ place }: Command, { file, env }: Scope): At => ({ file, line: place.line, env })

interface RecordedEffects {
  readonly evaluation: number
  readonly effects: readonly ScriptEffect[]
}

export const createScriptCalls = ({ attempt, record, index, now, recorded }: ScriptCallsOptions) => {
  const { scripts, secrets } = attempt
  const known = secrets.revealAll(recorded) as readonly RecordedEffects[]
  let evaluations = 0

  const failedScript = ({ answer }: ScriptFailure, { file }: At) => {
    const { problem, line, column } = answer
    const where =
      line === undefined ? '' : ` (${answer.file ?? file}:${line}${column === undefined ? '' : `:${column}`})`
    return failed('SCRIPT_FAILED', secrets.conceal(`The script failed${where}: ${problem}`), { kind: answer.kind })
  }

  /** Hands the effects of an earlier process in, and records those that are new. */
  const evaluated = async <T>(
    at: At,
    evaluate: (
      place: At & {
        now: number
        recorded: readonly ScriptEffect[]
        onEffect: (effect: ScriptEffect) => void
        onLog: (line: string) => void
      },
    ) => Promise<T>,
  ): Promise<T> => {
    const evaluation = evaluations
    evaluations += 1
    const before = known.find(each => each.evaluation === evaluation)?.effects ?? []
    const effects: ScriptEffect[] = []
    scripts.setCopiedText(attempt.state.copiedText)
    const onLog = (line: string) => attempt.note(secrets.conceal(`${at.file}:${at.line}: ${line}`))
    const keep = async () => {
      if (effects.length <= before.length) return
      const isRecorded = await record({
        type: 'script.answered',
        index,
        body: secrets.concealAll({ evaluation, effects }),
      })
      if (!isRecorded) throw new AttemptStopped('the journal does not take what a script saw')
    }
    try {
      const value = await evaluate({
        ...at,
        now,
        recorded: before,
        onEffect: effect => void effects.push(effect),
        onLog,
      })
      await keep()
      return value
    } catch (error) {
      if (!(error instanceof ScriptFailure)) throw error
      await keep()
      throw failedScript(error, at)
    }
  }

  const interpolating =
    (at: At) =>
    async (text: string): Promise<string> =>
      text.includes('${') ? evaluated(at, place => scripts.interpolate(text, place)) : text

  return {
    interpolating,
    /** Throws CommandFailed. */
    evaluate: (source: string, at: At): Promise<void> =>
      evaluated(at, async place => {
        const answer = await scripts.evaluate(source, place)
        if (!answer.ok) throw new ScriptFailure(answer)
      }),
    random: (kind: RandomKind, length: number, at: At): Promise<string> =>
      evaluated(at, place => randomOf(scripts, { kind, length }, place)),
  }
}

export type ScriptCalls = ReturnType<typeof createScriptCalls>
