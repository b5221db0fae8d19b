/** The scripts of one command: recorded with what they saw of the world, so that a later process repeats them alike. */

import type { ScriptOwner } from '../../../contracts/events/flow-run.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { shortenedText } from '../../../runtime/text/shortened-text.ts'
import { EFFECTS_WORDS } from '../../recorded-words.ts'
import type { Action, Command, Interpolate, InterpolateOptions } from '../language/command.ts'
import { FLOW_TEXT_BYTES, RANDOM_CHARS_MAX } from '../language/limits.ts'
import { shownText } from '../language/problem.ts'
import { CONNECTION_REFUSED } from '../script/http-request.ts'
import { type RequestIntent, type ScriptEffect, ScriptFailure, type ScriptPlace } from '../script/script-answer.ts'
import type { FlowScripts } from '../script/scripts.ts'
import type { LiveAttempt, RecordEvent, Scope } from './attempt.ts'
import { AttemptStopped, CommandFailed, failed, flowErrorOf } from './failure.ts'
import { recordReading } from './read-files.ts'
import { logLine } from './script-log.ts'
import { type BegunRequest, effectsOf, openRequest, type ScriptRecord } from './script-record.ts'
import { warn, withoutValue } from './warnings.ts'

// Random texts for the inputRandom commands are the same whenever the flow is repeated.

type RandomKind = Extract<Action, { name: 'inputRandom' }>['kind']

const SCRIPTS: Readonly<Record<RandomKind, (length: number) => string>> = {
  text: length => `faker.regexify('[A-Za-z0-9]{${length}}')`,
  number: length => `faker.regexify('[1-9][0-9]{${length - 1}}')`,
  email: () => 'faker.internet().emailAddress()',
  personName: () => 'faker.name().name()',
  cityName: () => 'faker.address().cityName()',
  countryName: () => 'faker.address().country()',
  colorName: () => 'faker.color().name()',
}

/** `length` counts for texts and numbers. Throws a ScriptFailure as interpolation does. */
export const randomOf = async (
  scripts: Pick<FlowScripts, 'evaluate'>,
  { kind, length }: { kind: RandomKind; length: number },
  at: ScriptPlace,
): Promise<string> => {
  if (!Number.isInteger(length) || length < 1 || length > RANDOM_CHARS_MAX) {
    throw new RangeError(
      `The length of a random text must be a whole number from 1 to ${RANDOM_CHARS_MAX}; it is ${length}.`,
    )
  }
  const answer = await scripts.evaluate(SCRIPTS[kind](length), at)
  if (!answer.ok) throw new ScriptFailure(answer)
  return answer.text
}

interface ScriptCallsOptions {
  attempt: LiveAttempt
  record: RecordEvent
  index: number
  scriptOf: ScriptOwner
  now: number
  recorded: ScriptRecord
  /** The scripts have run to their end before: what they ask of the world is on record. */
  isComplete: boolean
}

interface At {
  readonly file: string
  readonly line: number
  readonly env: Readonly<{ [name: string]: string }>
  readonly isFile?: boolean | undefined
}

const START_SERVER = 'Start the server that the script asks before the flows run, or correct the address in the script.'

/** A script may throw a text of any length. */
const PROBLEM_CHARS_MAX = 2_000

/** The place of the scripts in a command. */
export const placeOf = ({ place }: Command, { file, env }: Scope): At => ({ file, line: place.line, env })

const requestInDoubt = ({ method, url }: Pick<BegunRequest, 'method' | 'url'>): CommandFailed => {
  const fact = `The host ended while the request ${method} ${url} of a script was under way`
  const hint = 'Find out whether the server has taken the request, then run the flow again from its beginning.'
  const details = { request: { method, url } }
  return new CommandFailed(
    flowErrorOf(failure('COMMAND_IN_DOUBT', `${fact}: it may have been carried out.`, { hint, details })),
  )
}

export const createScriptCalls = (options: ScriptCallsOptions) => {
  const { attempt, record, index, scriptOf, now, recorded, isComplete } = options
  const { scripts, secrets } = attempt
  const answers = secrets.revealAll(recorded.answers)
  let evaluations = 0

  const failedScript = ({ answer }: ScriptFailure, { file }: At) => {
    const { problem, line, column } = answer
    const where =
      line === undefined ? '' : ` (${answer.file ?? file}:${line}${column === undefined ? '' : `:${column}`})`
    return failed(
      'SCRIPT_FAILED',
      shortenedText(secrets.conceal(`The script failed${where}: ${problem}`), PROBLEM_CHARS_MAX),
      { kind: answer.kind },
      problem.includes(CONNECTION_REFUSED) ? START_SERVER : undefined,
    )
  }

  const tooLong = (text: string, bytes: number) => {
    const fact = `${secrets.conceal(shownText(text))} comes to a text of at least ${bytes} bytes, and a text of a flow may have ${FLOW_TEXT_BYTES}`
    return failed('FLOW_INVALID', `${fact}. Take a part of it; a longer one can stay in output.`)
  }

  const mustRecord = async (event: Parameters<RecordEvent>[0]) => {
    if (!(await record(event))) throw new AttemptStopped('the journal does not take what a script does')
  }

  /** Nothing is sent unless this is on record. */
  const beginRequest = async (evaluation: number, intent: RequestIntent, open: BegunRequest | undefined) => {
    const { method, digest, request, files, isOther } = intent
    const url = secrets.conceal(intent.url)
    if (open && !isOther) throw requestInDoubt(open)
    if (isOther || isComplete)
      throw failed(
        'TEST_RUN_NOT_RESUMABLE',
        `A script asks for ${method} ${url}, which it did not before its host died. Nothing was sent.`,
        { request: { method, url } },
      )
    for (const file of files) await recordReading({ attempt, record, index }, file)
    await mustRecord({ type: 'request.begun', index, scriptOf, evaluation, request, method, url, digest })
  }

  /** Hands the effects of an earlier process in, and records those that are new before the script sees them. */
  const evaluated = async <T>(
    at: At,
    evaluate: (place: ScriptPlace) => Promise<T>,
    { mayLackValue = false }: InterpolateOptions = {},
  ): Promise<T> => {
    const evaluation = evaluations
    evaluations += 1
    const before = effectsOf(answers, evaluation)
    const open = openRequest(recorded, evaluation, before)
    const effects: ScriptEffect[] = []
    let logged = 0
    let from = before.length
    const keep = async () => {
      if (effects.length <= from) return
      const body = secrets.concealAll({ evaluation, from, effects: effects.slice(from), now }, EFFECTS_WORDS)
      from = effects.length
      await mustRecord({ type: 'script.answered', index, scriptOf, body })
    }
    scripts.setCopiedText(attempt.state.copiedText)
    const place: ScriptPlace = {
      ...at,
      now,
      recorded: before,
      onRequest: intent => beginRequest(evaluation, intent, open),
      onEffect(effect) {
        effects.push(effect)
        return effect.kind === 'http' ? keep() : undefined
      },
      onUndefined: name => {
        if (!mayLackValue) warn(attempt.state, { message: withoutValue(name), file: at.file, line: at.line })
      },
      onLog: (text, { file, line }) => {
        const id = `${index}.${scriptOf}.${evaluation}.${logged++}`
        const isNew = logLine(attempt, { id, text, file, line })
        if (isNew) attempt.note(secrets.conceal(`${file}:${line}: ${text}`))
      },
    }
    try {
      const value = await evaluate(place)
      await keep()
      return value
    } catch (error) {
      if (!(error instanceof ScriptFailure)) throw error
      await keep()
      throw failedScript(error, at)
    }
  }

  const filledIn = (text: string, at: At, options?: InterpolateOptions): Promise<readonly string[]> =>
    evaluated(at, place => scripts.fillIn(text, place), options)

  return {
    interpolating:
      (at: At): Interpolate =>
      async (text, options) => {
        if (!text.includes('${')) return text
        const pieces = await filledIn(text, at, options)
        let bytes = 0
        for (const piece of pieces) {
          bytes += Buffer.byteLength(piece)
          if (bytes > FLOW_TEXT_BYTES) throw tooLong(text, bytes)
        }
        return pieces.join('')
      },
    /** For evalScript: the text that it comes to is nobody's. */
    async perform(source: string, at: At): Promise<void> {
      if (source.includes('${')) await filledIn(source, at, { mayLackValue: true })
    },
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
