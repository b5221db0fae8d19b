/** Puts each command on record before it begins and when it has ended, or finds what a process before this one recorded. */
import { COMMAND_WORDS } from '../../recorded-words.ts'
import type { Command } from '../language/command.ts'
import { describeCommand } from '../language/describe-command.ts'
import type { FlowLibrary } from '../language/flow-library.ts'
import { FLOW_COMMANDS_MAX } from '../language/limits.ts'
import type { LiveAttempt, RecordEvent, Scope } from './attempt.ts'
import type { CommandCalls } from './call-phone.ts'
import type { CommandEnd, RecordedCommand } from './command-log.ts'
import { AttemptStopped, CommandFailed, failed } from './failure.ts'
import { recordingLibrary } from './read-files.ts'
import { createScriptCalls, placeOf, type ScriptCalls } from './script-calls.ts'
import { takeLog } from './script-log.ts'
import { NO_SCRIPTS, nowOf } from './script-record.ts'
import { takeWarnings } from './warnings.ts'

/** The command as it is performed. */
export interface Turn {
  readonly index: number
  readonly command: Command
  readonly scope: Scope
  /** The time that its scripts see. */
  readonly now: number
  readonly recorded: RecordedCommand | undefined
  readonly calls: CommandCalls
  readonly scripts: ScriptCalls
  /** Puts on record what the command reads. */
  readonly library: FlowLibrary
}

type Ended = 'passed' | 'failed' | 'skipped' | 'ignored' | 'indeterminate'

export const createTurns = (attempt: LiveAttempt, record: RecordEvent, signal: AbortSignal) => {
  const { state, clock, onProgress, secrets } = attempt
  const { conceal, concealAll } = secrets

  const recordedAt = (index: number): RecordedCommand | undefined => attempt.recorded.commands[index]

  const mustRecord = async (event: Parameters<RecordEvent>[0]) => {
    if (!(await record(event))) throw new AttemptStopped('the journal does not take the command')
  }

  /** A label is for people: one whose expressions fail is shown as it is written. Its scripts are on record as all others. */
  const labelled = async (command: Command, scope: Scope, { index, now }: Pick<Turn, 'index' | 'now'>) => {
    if (command.label?.includes('${') !== true) return command
    const scripts = createScriptCalls({
      attempt,
      record,
      index,
      scriptOf: 'label',
      now,
      recorded: attempt.recorded.labels[index] ?? NO_SCRIPTS,
      isComplete: recordedAt(index) !== undefined,
    })
    try {
      return {
        ...command,
        label: await scripts.interpolating(placeOf(command, scope))(command.label, { mayLackValue: true }),
      }
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error
      if (error.error.code !== 'COMMAND_IN_DOUBT') return command
      const { file, line } = command.place
      throw new CommandFailed({ file, line, command: conceal(command.written), ...error.error })
    }
  }

  /** Begins the record of a command, or finds the one of the process before. */
  const begin = async (command: Command, scope: Scope, name: string): Promise<Turn> => {
    if (signal.aborted) throw new AttemptStopped('the attempt was cancelled')
    const index = state.next
    if (index >= FLOW_COMMANDS_MAX)
      throw failed(
        'FLOW_INVALID',
        `The flow has begun ${FLOW_COMMANDS_MAX} commands, more than any may have: a repeat has no end.`,
      )
    state.next += 1
    const { file, line } = command.place
    const recorded = recordedAt(index)
    const now = recorded?.begun.now ?? nowOf(attempt.recorded.labels[index] ?? NO_SCRIPTS) ?? clock.now()
    const words = describeCommand(await labelled(command, scope, { index, now }))
    const text = conceal(name === command.key ? words : `${name} of ${words}`)
    if (recorded && (recorded.begun.name !== name || recorded.begun.file !== file || recorded.begun.line !== line))
      throw failed(
        'TEST_RUN_NOT_RESUMABLE',
        `The flow takes another way than before its host died, at ${file}:${line}.`,
      )
    if (!recorded) {
      await mustRecord({ type: 'command.begun', index, depth: scope.depth, name, text, file, line, now })
      const { flowRunId } = attempt
      onProgress({ at: clock.now(), type: 'command.begun', flowRunId, index, depth: scope.depth, text, file, line })
    }
    const calls: CommandCalls = { index, recorded: recorded?.executionIds ?? [], read: 0 }
    const scripts = createScriptCalls({
      attempt,
      record,
      index,
      scriptOf: 'command',
      now,
      recorded: recorded?.scripts ?? NO_SCRIPTS,
      isComplete: recorded?.ended !== undefined,
    })
    return {
      index,
      command,
      scope,
      now,
      recorded,
      calls,
      scripts,
      library: recordingLibrary({ attempt, record, index }),
    }
  }

  const end = async ({ index, recorded }: Turn, verdict: Ended, body: CommandEnd) => {
    if (recorded?.ended) return
    const { flowRunId } = attempt
    const code = body.error?.code ?? null
    const noted = { ...body, ...takeWarnings(state), ...takeLog(state) }
    await mustRecord({ type: 'command.ended', index, verdict, code, body: concealAll(noted, COMMAND_WORDS) })
    onProgress({ at: clock.now(), type: 'command.ended', flowRunId, index, verdict })
  }

  return { begin, end }
}
