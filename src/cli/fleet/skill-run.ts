/** `svc skills run` on a device of another host: that host runs its own skill of this id. */

import { parseObject } from '../../runtime/small-file.ts'
import type { Call, CommandResult } from '../command.ts'
import { usage } from '../command.ts'
import { isFleetDevice } from './concerns-fleet.ts'
import { unreached } from './execute.ts'
import { isConnectedHere } from './goes-to-fleet.ts'
import { askFleet, hostIn, type Json, jsonOf, textOf } from './request.ts'
import { inFleet, interruptedEarly, NOBODY_ANSWERS } from './session.ts'

/** These flags apply to runs on this machine only; no host is told about them. */
const LOCAL_FLAGS = ['registry', 'skip-validate', 'operator-package', 'policy'] as const

export interface SkillRun {
  skillId: string
  args: readonly string[]
  device: string
  timeoutMs: number | undefined
  expectContains: string | undefined
}

const outcomeOf = ({ ok, ...outcome }: Json): CommandResult => {
  if (ok === false) {
    const { status, error } = outcome
    return { ok: false, output: status === undefined ? error : { status, ...(error as object) } }
  }
  // Over HTTP a success with a frame leaves its status out.
  const output = { status: 'success', ...outcome }
  return { ok: output.status === 'success', output }
}

/** Undefined when it is for this machine. */
export const runSkillInFleet = async (run: SkillRun, call: Call): Promise<CommandResult | undefined> => {
  const { skillId, args, device, timeoutMs, expectContains } = run
  if (!isFleetDevice(device) && (await isConnectedHere(call, device))) return undefined
  const local = LOCAL_FLAGS.find(flag => call.text(flag) !== undefined || call.isOn(flag))
  if (local !== undefined) {
    throw usage(
      `--${local} is for runs on this machine: the host of device ${device} runs its own skill under its own policy.`,
    )
  }
  const body = {
    deviceId: device,
    args,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(expectContains === undefined ? {} : { expectContains }),
  }
  const path = `/skills/${encodeURIComponent(skillId)}/run`
  const done = await inFleet(call, client =>
    askFleet(client, { method: 'POST', path, body, first: hostIn(client, device)?.host }, call),
  )
  if (done.kind === 'interrupted') return { ok: false, output: interruptedEarly() }
  if (done.kind === 'unreachable') return unreached(done.why, device, call)
  const asked = done.value
  if (asked.kind === 'untaken') return unreached(NOBODY_ANSWERS, device, call)
  if (asked.kind === 'failed') return { ok: false, output: asked.error }
  const said = parseObject(textOf(asked))
  if (said) return outcomeOf(said)
  const refused = jsonOf(asked)
  return { ok: false, output: refused.ok ? undefined : refused.error }
}
