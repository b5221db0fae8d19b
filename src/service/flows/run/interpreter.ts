/** Performs the commands of a flow, one after the other; what a process before this one has proven is not repeated. */

import type { FlowSelector } from '../../../contracts/flows/flow-selector.ts'
import { isObject } from '../../../contracts/json/json.ts'
import { JournalError } from '../../../runtime/journal/fault.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import type { Action, Command, Condition, Flow } from '../language/command.ts'
import type { PhoneStep } from '../phones.ts'
import {
  type AttemptState,
  keepCopiedText,
  keepText,
  type LiveAttempt,
  type RecordEvent,
  type Scope,
} from './attempt.ts'
import { createPhoneCalls } from './call-phone.ts'
import type { CommandEnd, RecordedCommand } from './command-log.ts'
import type { FlowCommandContext, Performed } from './commands.ts'
import { scopeOfFlow, settledAction, settledCondition, withVariables } from './evaluate-commands.ts'
import { AttemptStopped, CommandFailed, failed, flowErrorOf } from './failure.ts'
import { holds } from './perform-assert.ts'
import { recordingPath } from './perform-media.ts'
import { PERFORMERS } from './performers.ts'
import { recordBytes } from './read-files.ts'
import { createTurns, type Turn } from './record-commands.ts'
import { placeOf } from './script-calls.ts'

// The header `androidWebViewHierarchy: devtools`: selectors of the flow mean elements of web pages too.

const inMatcher = (matcher: { flow: FlowSelector }) => ({ flow: { ...matcher.flow, webElements: true } })

const isOfFlow = (value: unknown): value is { flow: FlowSelector } => isObject(value) && isObject(value.flow)

const inParam = (value: unknown): unknown => {
  if (isOfFlow(value)) return inMatcher(value)
  return isObject(value) && isOfFlow(value.matcher) ? { ...value, matcher: inMatcher(value.matcher) } : value
}

/** The steps with all of their selectors so: in a param, or in the place that a param names. */
export const withWebElements = (steps: readonly PhoneStep[]): PhoneStep[] =>
  steps.map(step =>
    step.params === undefined
      ? step
      : {
          ...step,
          params: Object.fromEntries(Object.entries(step.params).map(([key, value]) => [key, inParam(value)])),
        },
  )

/** Touches of the phone: looks that follow count their time from them. */
const TOUCHES: readonly Action['name'][] = [
  'launchApp',
  'stopApp',
  'killApp',
  'clearState',
  'openLink',
  'tapOn',
  'doubleTapOn',
  'longPressOn',
  'swipe',
  'scroll',
  'scrollUntilVisible',
  'inputText',
  'inputRandom',
  'eraseText',
  'pasteText',
  'hideKeyboard',
  'back',
  'pressKey',
  'setOrientation',
]

type Block = Extract<Action, { name: 'runFlow' | 'repeat' | 'retry' }>
const isBlock = (action: Action): action is Block => ['runFlow', 'repeat', 'retry'].includes(action.name)

const COPYING: readonly Action['name'][] = ['copyTextFrom', 'setClipboard']

const CONDITION = { when: 'when', while: 'while' } as const

const verdictOf = ({ isOfApp }: CommandFailed) => (isOfApp ? 'failed' : 'indeterminate')

const hasCondition = ({ params }: Command): boolean => (params.when ?? params.while)?.kind === 'condition'

export const createInterpreter = (attempt: LiveAttempt, record: RecordEvent, signal: AbortSignal) => {
  const { state, clock, secrets } = attempt
  const { conceal } = secrets
  const ask = createPhoneCalls(attempt, record, signal)
  const { begin, end } = createTurns(attempt, record, signal)

  const contextOf = ({ index, command, calls, scripts, scope }: Turn): FlowCommandContext => ({
    attempt,
    index,
    signal,
    isOptional: command.optional,
    reads: (file, bytes) => recordBytes({ attempt, record, index }, file, bytes),
    random: (kind, length) => scripts.random(kind, length, placeOf(command, scope)),
    call: (steps, options) => ask(calls, scope.usesWebElements ? withWebElements(steps) : steps, options),
  })

  /** Throws the failure of a command that failed before the host died. */
  const leftBy = ({ body }: NonNullable<RecordedCommand['ended']>): Performed => {
    if (body.error) throw new CommandFailed(body.error)
    return body
  }

  /** A command that had ended before the host died is not done again: only its results for later commands are restored. */
  const repeated = async (turn: Turn, ended: NonNullable<RecordedCommand['ended']>, action: Action) => {
    // Each evaluation has random numbers of its own, by its position.
    if (action.name === 'inputRandom') await contextOf(turn).random(action.kind, action.length)
    const performed = leftBy(ended)
    if (performed?.text !== undefined) {
      const text = secrets.reveal(performed.text)
      if (COPYING.includes(action.name)) keepCopiedText(state, text)
      else keepText(state, text)
    }
    if (action.name === 'startRecording') state.recordingPath = recordingPath(attempt, action.path)
    if (action.name === 'stopRecording') state.recordingPath = undefined
    return performed
  }

  const leaf = async (turn: Turn, action: Exclude<Action, Block>): Promise<Performed> => {
    if (action.name === 'evalScript' || action.name === 'runScript') {
      const { scope, scripts, command } = turn
      const env = scope.env
      if (action.name === 'evalScript') await scripts.perform(action.source, placeOf(command, scope))
      else
        await scripts.evaluate(action.source, {
          file: action.file,
          line: 1,
          env: withVariables(env, action.env),
          isFile: true,
        })
      return undefined
    }
    if (turn.recorded?.ended) return repeated(turn, turn.recorded.ended, action)
    const perform = PERFORMERS[action.name] as (action: Action, context: FlowCommandContext) => Promise<Performed>
    const performed = await perform(action, contextOf(turn))
    if (TOUCHES.includes(action.name)) state.touchedAt = clock.elapsed()
    return performed
  }

  /** A condition is on record as a command of its own, with its answer. */
  const isMet = async (command: Command, scope: Scope, name: keyof typeof CONDITION): Promise<boolean> => {
    const turn = await begin(command, scope, name)
    try {
      const condition: Condition | undefined = await settledCondition(turn, attempt)
      const before = turn.recorded?.ended
      if (before) {
        leftBy(before)
        return before.verdict === 'passed'
      }
      const isSo = condition === undefined || (await holds(condition, contextOf(turn)))
      await end(turn, isSo ? 'passed' : 'skipped', {})
      return isSo
    } catch (thrown) {
      const failure = failureOf(thrown, turn)
      await end(turn, verdictOf(failure), { error: failure.error })
      throw failure
    }
  }

  const subflow = async (flow: Flow, scope: Scope, env: Scope['env'], turn: Turn): Promise<void> => {
    const around = { ...scope, env: withVariables(scope.env, env), depth: scope.depth + 1 }
    const inner = await scopeOfFlow(flow, around, turn.scripts)
    const failure = await failureIn(async () => {
      await all(flow.config.onFlowStart, inner)
      await all(flow.commands, inner)
    })
    const later = await failureIn(() => all(flow.config.onFlowComplete, inner))
    const first = failure ?? later
    if (first) throw first
  }

  /** The hook behind a subflow runs also where the subflow failed. */
  const failureIn = async (work: () => Promise<void>): Promise<CommandFailed | undefined> => {
    try {
      await work()
      return undefined
    } catch (error) {
      if (error instanceof CommandFailed) return error
      throw error
    }
  }

  const block = async (turn: Turn, action: Block): Promise<'passed' | 'skipped'> => {
    const { command, scope } = turn
    const inner: Scope = { ...scope, depth: scope.depth + 1 }
    switch (action.name) {
      case 'runFlow': {
        if (action.flow) await subflow(action.flow, scope, action.env, turn)
        else await all(action.commands, { ...inner, env: withVariables(scope.env, action.env) })
        return 'passed'
      }
      case 'repeat': {
        const times = action.times ?? Number.POSITIVE_INFINITY
        let rounds = 0
        while (rounds < times && (!hasCondition(command) || (await isMet(command, inner, 'while')))) {
          await all(action.commands, inner)
          rounds += 1
        }
        return rounds === 0 ? 'skipped' : 'passed'
      }
      case 'retry': {
        for (let left = action.maxRetries; ; left -= 1) {
          try {
            if (action.flow) await subflow(action.flow, scope, action.env, turn)
            else await all(action.commands, { ...inner, env: withVariables(scope.env, action.env) })
            return 'passed'
          } catch (error) {
            if (!(error instanceof CommandFailed) || !error.isOfApp || left === 0) throw error
          }
        }
      }
    }
  }

  const failureOf = (error: unknown, { index, command }: Turn): CommandFailed => {
    const { file, line } = command.place
    if (error instanceof CommandFailed)
      return error.index === null
        ? new CommandFailed({ file, line, command: conceal(command.written), ...error.error }, index)
        : error
    if (error instanceof AttemptStopped || error instanceof JournalError) throw error
    const internal = flowErrorOf({ code: 'INTERNAL_ERROR', message: messageOf(error), retriable: false })
    return new CommandFailed({ file, line, command: conceal(command.written), ...internal }, index)
  }

  const carriedOut = async (turn: Turn): Promise<{ verdict: 'passed' | 'skipped'; body: CommandEnd }> => {
    const { command, scope } = turn
    const isAsked = command.key !== 'repeat' && hasCondition(command)
    if (isAsked && !(await isMet(command, { ...scope, depth: scope.depth + 1 }, 'when')))
      return { verdict: 'skipped', body: {} }
    const action = await settledAction(turn, attempt)
    if (isBlock(action)) return { verdict: await block(turn, action), body: {} }
    return { verdict: 'passed', body: (await leaf(turn, action)) ?? {} }
  }

  /** A command that had ended before the host died ends as it did: scripts that now come to something else change nothing. */
  const asRecorded = ({ recorded, command, index }: Turn, failure: CommandFailed | undefined) => {
    const { body } = recorded?.ended ?? {}
    if (!body || failure?.error.code === body.error?.code) return failure
    if (body.error) return new CommandFailed(body.error, failure?.index ?? index)
    const { file, line } = command.place
    const problem = `The command at ${file}:${line} passed before its host died, and fails now: ${failure?.message}`
    return new CommandFailed({ file, line, ...failed('TEST_RUN_NOT_RESUMABLE', problem).error }, index)
  }

  const one = async (command: Command, scope: Scope): Promise<void> => {
    const turn = await begin(command, scope, command.key)
    const outcome = await carriedOut(turn).catch((thrown: unknown) => failureOf(thrown, turn))
    const failure = asRecorded(turn, outcome instanceof CommandFailed ? outcome : undefined)
    if (!failure) return outcome instanceof CommandFailed ? undefined : end(turn, outcome.verdict, outcome.body)
    const { error, isOfApp } = failure
    if (command.optional && isOfApp) return end(turn, 'ignored', { error })
    await end(turn, verdictOf(failure), { error })
    throw failure
  }

  const all = async (commands: readonly Command[], scope: Scope): Promise<void> => {
    for (const command of commands) await one(command, scope)
  }

  return { all }
}

export const newAttemptState = (elapsed: number): AttemptState => ({
  next: 0,
  touchedAt: elapsed,
  copiedText: null,
  keptTextBytes: 0,
  recordingPath: undefined,
  warnings: [],
  warned: new Map(),
  log: [],
  logged: undefined,
  stages: [],
  scope: undefined,
})
