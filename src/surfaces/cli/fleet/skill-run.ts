/** `svc skills run` on a device of another host: that host runs its own skill of this id. */
import { skillRunIn } from '../../../contracts/records/ids.ts'
import type { InputOf } from '../../../service/service.ts'
import { runOutcome } from '../../../service/skills/run/run-answer.ts'
import { type CommandContext, type CommandResult, usage } from '../command.ts'
import { isFleetDevice } from '../executions/execution-command.ts'
import { leaseOf } from '../flags/flag-values.ts'
import { askFleet, goesToFleet, isConnectedHere } from './session.ts'

/** These flags apply to runs on this machine only; no host is told about them. */
const LOCAL_FLAGS = ['registry', 'skip-validate', 'operator-package', 'policy'] as const

/** Undefined when it is for this machine. */
export const runSkillInFleet = async (
  input: InputOf<'skills.run'> & { deviceId: string },
  call: CommandContext,
): Promise<CommandResult | undefined> => {
  const { deviceId } = input
  if (!goesToFleet(call, deviceId)) return undefined
  if (!isFleetDevice(deviceId) && (await isConnectedHere(call, deviceId))) return undefined
  const local = LOCAL_FLAGS.find(flag => call.text(flag) !== undefined || call.isOn(flag))
  if (local !== undefined) {
    throw usage(
      `--${local} is for runs on this machine: the host of device ${deviceId} runs its own skill under its own policy.`,
    )
  }
  const context = { caller: 'cli', skillRunId: skillRunIn(call.env), leaseId: leaseOf(call) } as const
  const result = await askFleet(call, deviceId, service =>
    service['skills.run'](input, { context, signal: call.signal }),
  )
  if (!result) return undefined
  if (!result.ok) return { ok: false, output: result.error }
  return { ok: result.value.status === 'success', output: runOutcome(result.value) }
}
