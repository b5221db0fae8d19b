/** `svc skills run`: one run, its output shown while it comes when a person watches, and a signal handed on to it. */

import { duration } from '../../../contracts/duration.ts'
import { defined, isObject } from '../../../contracts/json/json.ts'
import { skillRunIn } from '../../../contracts/records/ids.ts'
import { SKILL_RESULT_MARKER, type SkillResult } from '../../../contracts/skills/skill-result.ts'
import type { SkillRunOutcome } from '../../../contracts/skills/skill-run.ts'
import { pause } from '../../../runtime/clock.ts'
import { homeOf } from '../../../runtime/home.ts'
import type { LiveOutput } from '../../../service/skills/run/request.ts'
import { runOutcome } from '../../../service/skills/run/run-answer.ts'
import { createSkillServices, lateDeviceGate } from '../../../start/skill.ts'
import type { CommandContext, CommandResult } from '../command.ts'
import { concernsFleet, namedOperator } from '../executions/execution-command.ts'
import { leaseOf } from '../flags/flag-values.ts'
import { beforeEndAtOnce, programFile } from '../process.ts'
import { failureText } from '../text/failure.ts'
import { type Fact, facts, headline, lines, table } from '../text/layout.ts'
import { type Page, SIGNS } from '../text/page.ts'
import { safe, visibleLines } from '../text/visible.ts'

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
    checkDevice: lateDeviceGate(call),
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

const CHECKPOINTS = {
  ok: [SIGNS.ok, 'green'],
  failed: [SIGNS.failed, 'red'],
  skipped: ['-', 'dim'],
} as const

type ResultValue = SkillResult['result'] | undefined

const valueText = (value: ResultValue): string | undefined => {
  if (!value) return undefined
  if (value.kind === 'text') return value.text
  return value.kind === 'json' ? JSON.stringify(value.value) : undefined
}

const checkpointsText = (page: Page, { checkpoints }: SkillResult): string | undefined =>
  checkpoints.length === 0
    ? undefined
    : table(
        page,
        [
          { title: '', cell: ({ status }) => CHECKPOINTS[status][0], style: ({ status }) => CHECKPOINTS[status][1] },
          { title: 'checkpoint', cell: ({ id }) => id, atLeast: 12 },
          { title: 'status', cell: ({ status }) => status },
          {
            title: 'note',
            cell: ({ note, evidence }) => note || (valueText(evidence ?? null) ?? ''),
            leaveOut: 1,
            atLeast: 16,
          },
        ],
        checkpoints,
      )

const verificationText = ({ status, note }: NonNullable<SkillResult['terminalVerification']>): string =>
  [status.replace('_', ' '), ...(note ? [note] : [])].join(': ')

/** A result that the message of the failure holds already is not said again. */
const resultText = (page: Page, result: SkillResult | null | undefined, message = ''): string | undefined => {
  if (!result) return undefined
  const { terminalVerification: verification, diagnostics } = result
  const more = (texts: readonly string[] | null | undefined) =>
    texts?.filter(text => !message.includes(text)).join('; ') || undefined
  const rows: Fact[] = [
    ['Result', valueText(result.result)],
    ['Verified', verification ? verificationText(verification) : undefined],
    ['Expected', valueText(verification?.expected)],
    ['Observed', valueText(verification?.observed)],
    ['Warnings', more(diagnostics?.warnings)],
    ['Hints', more(diagnostics?.hints)],
  ]
  return lines(checkpointsText(page, result), facts(page, rows, 2))
}

const tookOf = (page: Page, output: SkillRunOutcome): string =>
  duration('durationMs' in output && typeof output.durationMs === 'number' ? output.durationMs : page.tookMs)

/** The line where the result begins, which is for programs. */
const FRAME = new RegExp(`^${SKILL_RESULT_MARKER.replace(/[[\]]/g, '\\$&')}\\r?$`, 'm')

/** The script wrote this to stdout before it failed; its result is shown by itself. */
const printedText = (stdout = '', hasResult: boolean): string | undefined => {
  const frame = hasResult ? stdout.search(FRAME) : -1
  const printed = frame < 0 ? stdout : stdout.slice(0, frame)
  return printed.trim() === '' ? undefined : `  Output:\n${visibleLines(printed).trimEnd().replace(/^/gm, '    ')}`
}

export const skillRunText = (page: Page, output: SkillRunOutcome): string => {
  if (output.status === 'success') {
    const [skillId] = page.given.args
    const head = headline(page, 'ok', safe`${skillId} succeeded in ${tookOf(page, output)}.`)
    const printed = 'output' in output ? visibleLines(output.output).trimEnd() : undefined
    return lines(printed, head, resultText(page, output.skillResult))
  }
  if (output.status === 'indeterminate') {
    const head = headline(page, 'unknown', safe`${output.code}: ${output.message}`)
    return lines(head, resultText(page, output.skillResult))
  }
  const { code, message, details, hint, exitCode, stdout } = output
  const exit = exitCode === undefined ? undefined : exitCode === null ? 'ended by a signal' : String(exitCode)
  const error = { code, message, ...(details ? { details } : {}), ...(hint ? { hint } : {}) }
  const result = isObject(output.skillResult) ? resultText(page, output.skillResult, message) : undefined
  return lines(
    failureText(page, error, { facts: [['Exit code', exit]] }),
    printedText(stdout, result !== undefined),
    result,
  )
}
