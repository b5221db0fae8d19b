/** The port of the flow-run machine: performs one stage of an attempt, and tells how it ended. */
import type { StageInput } from '../../../../machines/flow-run/flow-run-setup.ts'
import { FLOW_STAGES, type FlowStage } from '../../../contracts/events/flow-run.ts'
import type { Port } from '../../../runtime/port.ts'
import { COMMAND_WORDS } from '../../recorded-words.ts'
import type { Flow } from '../language/command.ts'
import type { LiveAttempts, RecordEvent } from './attempt.ts'
import type { RecordedStage } from './command-log.ts'
import { scopeOfFlow } from './evaluate-commands.ts'
import { gatherEvidence } from './evidence.ts'
import { AttemptStopped, CommandFailed } from './failure.ts'
import { createInterpreter } from './interpreter.ts'
import { createScriptCalls } from './script-calls.ts'
import { takeLog } from './script-log.ts'
import { warningsSoFar } from './warnings.ts'

const commandsOf = ({ config, commands }: Flow, stage: FlowStage) =>
  ({ start: config.onFlowStart, main: commands, complete: config.onFlowComplete })[stage]

/** An event that precedes an act outside of this host is on the disk before the act. */
const COMMITTED: readonly string[] = ['call.begun', 'request.begun']

export const stagePort =
  (attempts: LiveAttempts): Port<StageInput> =>
  async ({ flowRunId, stage, requestedAt }, { send, commit, signal }) => {
    const attempt = attempts.get(flowRunId)
    if (!attempt) throw new Error(`the attempt ${flowRunId} is not of this process`)
    const { flow, state, recorded, env } = attempt
    const record: RecordEvent = event => (COMMITTED.includes(event.type) ? commit(event) : send(event))
    const interpreter = createInterpreter(attempt, record, signal)
    const header = () => {
      const scripts = createScriptCalls({
        attempt,
        record,
        index: 0,
        scriptOf: 'header',
        now: requestedAt,
        recorded: recorded.header,
        isComplete: recorded.commands.length > 0,
      })
      return scopeOfFlow(flow, { env, depth: 0, running: [] }, scripts)
    }

    const perform = async (which: FlowStage) => {
      state.scope ??= header()
      await interpreter.all(commandsOf(flow, which), await state.scope)
    }

    /** A process before this one has performed it: its scripts are repeated, and fail as they did. */
    const repeat = async ({ stage: which, failureCode }: RecordedStage) => {
      try {
        await perform(which)
      } catch (error) {
        if (!(error instanceof CommandFailed) || error.error.code !== failureCode) throw error
      }
    }

    try {
      for (const earlier of FLOW_STAGES.slice(0, FLOW_STAGES.indexOf(stage))) {
        const over = recorded.stages.find(each => each.stage === earlier)
        if (over && !state.stages.includes(earlier)) {
          await repeat(over)
          state.stages.push(earlier)
        }
      }
      await perform(stage)
      state.stages.push(stage)
      const noted = attempt.secrets.concealAll({ ...warningsSoFar(attempt), ...takeLog(state) }, COMMAND_WORDS)
      await send({
        type: 'stage.ended',
        stage,
        failureCode: null,
        index: null,
        ...(Object.keys(noted).length > 0 ? { body: noted } : {}),
      })
    } catch (error) {
      if (error instanceof AttemptStopped) return
      if (!(error instanceof CommandFailed)) throw error
      state.stages.push(stage)
      const evidence = await gatherEvidence(attempt, error.error, signal)
      await send({
        type: 'stage.ended',
        stage,
        failureCode: error.error.code,
        index: error.index,
        body: attempt.secrets.concealAll(
          { error: error.error, ...evidence, ...warningsSoFar(attempt), ...takeLog(state) },
          COMMAND_WORDS,
        ),
      })
    }
  }
