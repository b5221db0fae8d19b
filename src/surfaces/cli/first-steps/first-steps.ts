/** `svc` alone: what is connected, how the newest execution ended, and what to try next. */
import type { ExecutionSummary } from '../../../contracts/doors/viewer.ts'
import type { Command, CommandContext, CommandResult } from '../command.ts'
import { agoText, onOneLine, summaryLine } from '../completion/values/shown-text.ts'
import { type NextCommand, nextCommands } from './next-commands.ts'
import { lookAround, READY, type Situation } from './situation.ts'

const SERIAL_CHARS = 40
const FACT_CHARS = 60
const LINE_CHARS = 110

/** Advice to a person about a state that is not ready. */
const ADVICE: Readonly<Record<string, string>> = {
  unauthorized: 'allow this computer on the screen of the phone',
  offline: 'does not answer',
}

const NO_DEVICE: Readonly<Record<Situation['adbServer'], string>> = {
  devices: 'none is connected',
  absent: 'none is known: no adb server runs, and svc alone starts none',
  silent: 'none is known: the adb server does not answer',
}

const table = (rows: readonly (readonly [string, string])[]): string[] => {
  const width = Math.max(0, ...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd())
}

const deviceRows = ({ devices, adbServer }: Situation): string[] => {
  if (devices.length === 0) return [`  ${NO_DEVICE[adbServer]}`]
  return table(
    devices.map(({ serial, state, model = '' }) => [
      onOneLine(serial, SERIAL_CHARS),
      onOneLine(state === READY ? `ready  ${model}` : [state, ADVICE[state]].filter(Boolean).join(': '), FACT_CHARS),
    ]),
  )
}

const doubtLine = ({ executionId, deviceId, acceptedAt, inDoubt }: ExecutionSummary, now: number): string => {
  const doubt = inDoubt ? 'it may have happened' : 'the step it was at changes nothing'
  return `${agoText(now - acceptedAt)}: ${executionId} on ${onOneLine(deviceId, SERIAL_CHARS)}, ${doubt}`
}

const textOf = (situation: Situation, next: readonly NextCommand[], now: number): string => {
  const { newest, inDoubt, journalProblem } = situation
  return [
    `svc ${__SVC_VERSION__} drives Android devices, and can always say whether your tap happened.`,
    '',
    'Devices:',
    ...deviceRows(situation),
    ...(newest ? ['', 'Newest execution:', `  ${onOneLine(summaryLine(newest, now), LINE_CHARS)}`] : []),
    ...(inDoubt ? ['', 'Interrupted, and nobody knows how it ended:', `  ${doubtLine(inDoubt, now)}`] : []),
    ...(journalProblem ? ['', 'Journal:', `  ${onOneLine(journalProblem.message, LINE_CHARS)}`] : []),
    '',
    'Try next:',
    ...table(next.map(({ command, to }) => [command, to])),
    '',
    'svc --help lists all commands.',
  ].join('\n')
}

const jsonOf = ({ devices, adbServer, newest, inDoubt, journalProblem }: Situation, next: readonly NextCommand[]) => ({
  version: __SVC_VERSION__,
  devices,
  adbServer: adbServer === 'devices' ? 'running' : adbServer,
  ...(newest ? { newestExecution: newest } : {}),
  ...(inDoubt ? { executionInDoubt: inDoubt } : {}),
  ...(journalProblem ? { journalProblem } : {}),
  next,
})

const run = async (call: CommandContext): Promise<CommandResult> => {
  const situation = await lookAround(call)
  const next = nextCommands(situation)
  const asksJson = call.isOn('json') || ['json', 'pretty'].includes(call.text('output') ?? '')
  if (asksJson) return { ok: true, output: jsonOf(situation, next) }
  await call.io.print(textOf(situation, next, call.clock.now()))
  return { ok: true }
}

/** This command has no words: it is what is called when no command is. */
export const firstSteps: Command = {
  path: [],
  text: 'unchanged',
  internal: true,
  summary: 'show what is connected, and what to try next',
  hasNoResult: true,
  examples: ['svc'],
  run,
}
