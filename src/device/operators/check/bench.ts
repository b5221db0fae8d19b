/** The bench of a check: the phone, its log, and how requests reach the operator app and their answers come back. */

import type { OperatorRequest } from '../../../contracts/device/operator.ts'
import { ENVELOPE_GRACE_MS } from '../../../contracts/limits/limits.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Ids } from '../../../runtime/ids.ts'
import { type CallOptions, type Link, LinkError, type ShellResult } from '../../link/link.ts'
import { OUTPUT_BYTES_MAX } from '../../link/link-limits.ts'
import { broadcastCommand, broadcastLine, readAmAnswer } from '../app/wire/broadcast.ts'
import { type Answer, awaitAnswer, type Sent } from './await-answer.ts'
import { Breach } from './breach.ts'
import { type CheckRequestOptions, checkRequest, type WrittenAction } from './check-request.ts'
import { type CheckLog, deviceSeconds, followLog } from './follow-log.ts'
import type { Expected } from './judge-envelope.ts'
import { answersIn } from './read-answer.ts'

export interface CheckBench {
  clock: Clock
  operatorPackage: string
  signal: AbortSignal
  request(actions: readonly WrittenAction[], options?: CheckRequestOptions): OperatorRequest
  /** Over the present link, or a new one when it was lost. */
  link(): Promise<Link>
  shell(line: string): Promise<ShellResult>
  within(ms: number): CallOptions
  /** Broadcasts a request as a host does. */
  send(request: OperatorRequest): Promise<Sent>
  /** Broadcasts this text as the payload, whatever it is. */
  sendText(text: string, expected: Expected, timeoutMs: number): Promise<Sent>
  /** Counts as sent: a request that went by another way, and is answered in the log. */
  awaitInLog(request: OperatorRequest): Promise<Sent>
  /** The whole answer in the log. `count` asks for so many answers to one wire id. */
  answerTo(sent: Sent, count?: number): Promise<Answer>
  /** Both in one. */
  ask(actions: readonly WrittenAction[], options?: CheckRequestOptions): Promise<Answer>
  /** How many answers each request had so far, by wire id. */
  answersOf(wireId: string): Promise<number>
  /** Every request that was sent, with how often the same one was. */
  sent(): ReadonlyMap<string, { expected: Expected; times: number }>
  log(): Promise<CheckLog>
  /** How many requests in a row had no answer. */
  silences(): number
  /** Ends the reading, and leaves the phone by this command line, also after a cancellation. */
  leave(line: string): Promise<void>
}

/** How long one command on the phone may take, a broadcast to an app that is still to be started among them. */
const COMMAND_MS = 10_000
const RELINK_MS = 10_000

export interface BenchOptions {
  clock: Clock
  ids: Pick<Ids, 'instance'>
  operatorPackage: string
  signal: AbortSignal
  openLink(options: CallOptions): Promise<Link>
}

export const openBench = (options: BenchOptions): CheckBench => {
  const { clock, ids, operatorPackage, signal } = options
  const expectations = new Map<string, { expected: Expected; times: number }>()
  const removals: string[] = []
  let log: CheckLog | undefined
  let since: number | undefined
  let silences = 0

  const within = (ms: number): CallOptions => ({ deadline: clock.now() + ms, signal })

  /** The lines from the beginning of the check are read again by a new reader. */
  const openLog = async (): Promise<CheckLog> => {
    if (log && !log.ended()) return log
    log?.close()
    const call = within(RELINK_MS)
    const link = await options.openLink(call)
    since ??= await deviceSeconds(link, call)
    log = await followLog(link, since, call)
    for (const wireId of expectations.keys()) log.expect(wireId)
    return log
  }

  const link = async () => (await openLog()).link

  const shell = async (line: string) =>
    (await link()).shell(line, { ...within(COMMAND_MS), maxBytes: OUTPUT_BYTES_MAX.report })

  const note = (expected: Expected, reader: CheckLog, timeoutMs: number): Sent => {
    const known = expectations.get(expected.commandId)
    if (!known) reader.expect(expected.commandId)
    expectations.set(expected.commandId, { expected, times: (known?.times ?? 0) + 1 })
    return { expected, timeoutMs, at: clock.elapsed() }
  }

  const broadcast = async (line: string) => {
    const read = readAmAnswer(await shell(line), operatorPackage)
    if (read.kind !== 'not sent') return
    throw new Breach(`${read.message}.`, 'Export a receiver for com.svc.operator.ACTION_AGENT_COMMAND.')
  }

  const send = async (request: OperatorRequest): Promise<Sent> => {
    const { line, file } = broadcastCommand(operatorPackage, request)
    const reader = await openLog()
    if (file) {
      removals.push(file.removal)
      await reader.link.push(file.path, file.content, within(COMMAND_MS))
    }
    const sent = note(request, reader, request.timeoutMs)
    await broadcast(line)
    return sent
  }

  const answerTo = async (sent: Sent, count = 1): Promise<Answer> => {
    if (!log) throw new LinkError('DEVICE_LINK_LOST', 'the log of the device is not being read')
    const answer = await awaitAnswer(sent, { clock, signal, log, count })
    silences = answer === undefined ? silences + 1 : 0
    if (answer) return answer
    throw new Breach(
      `No answer came within ${sent.timeoutMs + ENVELOPE_GRACE_MS} ms.`,
      'Answer every request under the log tag SvcOperator, level I, at the latest 5,000 ms after its `timeoutMs`.',
    )
  }

  const request = (actions: readonly WrittenAction[], more?: CheckRequestOptions) => checkRequest(ids, actions, more)

  return {
    ...{ clock, operatorPackage, signal, request, link, shell, within, send, answerTo, log: openLog },
    async sendText(text, expected, timeoutMs) {
      const reader = await openLog()
      const sent = note(expected, reader, timeoutMs)
      await broadcast(broadcastLine(operatorPackage, 'payload', text))
      return sent
    },
    awaitInLog: async sent => note(sent, await openLog(), sent.timeoutMs),
    ask: async (actions, more) => answerTo(await send(request(actions, more))),
    async answersOf(wireId) {
      const expected = expectations.get(wireId)?.expected
      const reader = await openLog()
      return expected ? answersIn(reader.of(wireId), { wireId, nonce: expected.nonce }).length : 0
    },
    sent: () => expectations,
    silences: () => silences,
    async leave(line) {
      const call = { deadline: clock.now() + COMMAND_MS, maxBytes: OUTPUT_BYTES_MAX.report }
      const present = log && !log.ended() ? log.link : await options.openLink(call).catch(() => undefined)
      log?.close()
      await present?.shell([...removals, line].join('; '), call).catch(() => {})
    },
  }
}
