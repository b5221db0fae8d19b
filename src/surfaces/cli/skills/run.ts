/** `svc skills run`: one run, its output shown while it comes when a person watches, and a signal handed on to it. */

import { defined } from '../../../contracts/json/json.ts'
import { skillRunIn } from '../../../contracts/records/ids.ts'
import { pause } from '../../../runtime/clock.ts'
import { homeOf } from '../../../runtime/home.ts'
import type { DeviceGate, LiveOutput } from '../../../service/skills/run/request.ts'
import { runOutcome } from '../../../service/skills/run/run-answer.ts'
import { createSkillServices } from '../../../start/skill.ts'
import type { CommandContext, CommandResult } from '../command.ts'
import { concernsFleet, namedOperator } from '../executions/execution-command.ts'
import { leaseOf } from '../flags/lease-flag.ts'
import { beforeEndAtOnce, programFile } from '../process.ts'
import { visibleLines } from '../text/visible.ts'
import { isBridgeAbsent } from './bridge.ts'

/**
 * A person reads along, and the terminal frame is for programs. As text, stdout carries what the script printed once it
 * has ended, and nothing that the script writes controls the terminal.
 */
const liveOutput = ({ format, io }: CommandContext): ((output: LiveOutput) => void) | undefined => {
  if (format === 'pretty') return ({ text }) => io.show(text)
  if (format !== 'text') return undefined
  return ({ stream, text }) => {
    if (stream === 'stderr') io.show(visibleLines(text))
  }
}

/** A blank one is not a number either; the run checks the range. */
const timeoutOf = ({ text }: CommandContext): number | undefined => {
  const timeout = text('timeout')
  if (timeout === undefined) return undefined
  return timeout.trim() === '' ? Number.NaN : Number(timeout)
}

/** The debug bridge is loaded only where there may be a device. */
const deviceGateOf =
  (call: CommandContext): DeviceGate =>
  async (deviceId, signal, whileOwned, ask) => {
    if (deviceId === undefined && (await isBridgeAbsent(call))) return { ok: true }
    const { openDeviceGate } = await import('../../../start/device-gate.ts')
    const { check, close } = openDeviceGate(call)
    // Not held open: the script's own calls speak to the device themselves.
    return check(deviceId, signal, whileOwned, ask).finally(close)
  }

/** With --no-daemon, commands of the script do not use the daemon either. */
const childEnvOf = ({ env, isOn }: CommandContext): CommandContext['env'] =>
  isOn('no-daemon') ? { ...env, SVC_NO_DAEMON: '1' } : env

/** Undefined for a run on this machine. */
const inFleet = async (call: CommandContext): Promise<CommandResult | undefined> => {
  const deviceId = call.text('device')
  if (!deviceId?.trim() || !concernsFleet(call.env, deviceId)) return undefined
  const [skillId = '', ...args] = call.args
  const { runSkillInFleet } = await import('../fleet/skill-run.ts')
  const limits = defined({ timeoutMs: timeoutOf(call), expectContains: call.text('expect-contains') })
  return runSkillInFleet({ skillId, args, deviceId, ...limits }, call)
}

/** The run is on record by now, or never will be in time; what closing has not done by then is left to the next process. */
const CLOSE_MS = 400

/** Scripts often have these two themselves. */
const COMMON = ['--verbose', '--version']

const warnOfPassedOn = ({ passedOn = [], args: [skillId = ''], log }: CommandContext): void => {
  const names = [...new Set(passedOn)].filter(name => !COMMON.includes(name))
  if (names.length === 0) return
  const flags = names.join(', ')
  log.warn(`${flags} after ${skillId} goes to the script. For svc, put it before the id; for the script, behind --.`)
}

export const runSkillCommand = async (call: CommandContext): Promise<CommandResult> => {
  warnOfPassedOn(call)
  return (await inFleet(call)) ?? runHere(call)
}

const runHere = async (call: CommandContext): Promise<CommandResult> => {
  const { env, cwd, io, log, signal, clock } = call
  const askedAt = clock.elapsed()
  const [skillId = '', ...args] = call.args
  const operatorPackage = namedOperator(call)
  const { skills, abandon, close } = createSkillServices({
    env: childEnvOf(call),
    cwd,
    home: homeOf(env),
    program: programFile(),
    checkDevice: deviceGateOf(call),
    note: log.warn,
  })
  // The second signal ends this process at once, and what it runs must not stay behind.
  const forget = beforeEndAtOnce(signal, abandon)
  const closeInTime = () => Promise.race([close(), pause(clock, CLOSE_MS)]).finally(forget)
  try {
    const finished = await skills.run({
      skillId,
      args,
      operatorPackage,
      registry: call.text('registry'),
      deviceId: call.text('device'),
      askedBy: skillRunIn(env),
      leaseId: leaseOf(call),
      timeoutMs: timeoutOf(call),
      askedAt,
      expectContains: call.text('expect-contains'),
      skipValidate: call.isOn('skip-validate'),
      cancel: signal,
      onRun: runId => (call.format === 'json' ? log.info : io.note)(`Skill ${skillId}, run ${runId}`),
      onOutput: liveOutput(call),
    })
    return {
      ok: finished.status === 'success',
      output: runOutcome(finished),
      // The caller gets the answer first: closing may wait for a busy journal.
      afterwards: closeInTime,
    }
  } catch (error) {
    await closeInTime()
    throw error
  }
}
