/** The bench of a check: the phone, its log, and how requests reach the operator app and their answers come back. */

import type { OperatorRequest } from '../../../contracts/device/operator.ts'
import { ENVELOPE_GRACE_MS } from '../../../contracts/limits/limits.ts'
import { type Clock, pause } from '../../../runtime/clock.ts'
import type { Ids } from '../../../runtime/ids.ts'
import { type CallOptions, type Link, LinkError, type ShellResult } from '../../link/link.ts'
import { OUTPUT_BYTES_MAX } from '../../link/link-limits.ts'
import { broadcastCommand, broadcastLine, readAmAnswer } from '../app/wire/broadcast.ts'
import { demand } from './breach.ts'
import { type CheckRequestOptions, checkRequest, type WrittenAction } from './check-request.ts'
import { type CheckLog, deviceSeconds, followLog } from './follow-log.ts'
import { type Expected, judgeText, type StrictEnvelope } from './judge-envelope.ts'
import { answersIn } from './read-answer.ts'

export interface Answer {
  envelope: StrictEnvelope
  text: string
  /** 0 for one that came whole. */
  chunks: number
  tookMs: number
}

/** A request on its way. */
export interface Sent {
  expected: Expected
  timeoutMs: number
  /** When it left, on the clock that never goes back. */
  at: number
}

/** A way to the operator app and back: by broadcast and log, or a session socket. */
export interface Wire {
  /** Sends a request as a host does, or this payload in its place. */
  send(request: OperatorRequest, payload?: string): Promise<Sent>
  /** The whole answer. */
  answerTo(sent: Sent): Promise<Answer>
}

export type CheckBench = ReturnType<typeof openBench>

/** How long one command on the phone may take, a broadcast to an app that is still to be started among them. */
const COMMAND_MS = 10_000
const RELINK_MS = 10_000
const POLL_MS = 10
const INCOMPLETE = 'Write every chunk, and pace them so that the log buffer drops none.'
const UNANSWERED =
  'Answer every request under the log tag SvcOperator, level I, at the latest 5,000 ms after its `timeoutMs`.'

export interface BenchOptions {
  clock: Clock
  ids: Pick<Ids, 'instance'>
  operatorPackage: string
  signal: AbortSignal
  openLink(options: CallOptions): Promise<Link>
}

/** Without actions for a payload in place of the request: it cannot be valid. */
export const expectedOf = ({ commandId, taskId, nonce, actions }: OperatorRequest, payload?: string): Expected => ({
  ...{ commandId, taskId, nonce },
  actions: payload === undefined ? actions : undefined,
})

export const openBench = (options: BenchOptions) => {
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

  /** Over the present link, or a new one when it was lost. */
  const link = async () => (await openLog()).link

  const shell = async (line: string): Promise<ShellResult> =>
    (await link()).shell(line, { ...within(COMMAND_MS), maxBytes: OUTPUT_BYTES_MAX.report })

  /** Looks every few milliseconds, until `find` finds something or throws; undefined when the time is over. */
  const poll = async <T>(ms: number, find: () => T | undefined): Promise<T | undefined> => {
    const until = clock.elapsed() + ms
    for (;;) {
      const found = find()
      if (found !== undefined) return found
      if (signal.aborted) throw new LinkError('LINK_CANCELLED', 'the check was cancelled')
      if (clock.elapsed() >= until) return undefined
      await pause(clock, POLL_MS, signal)
    }
  }

  const note = async (request: OperatorRequest, payload?: string): Promise<Sent> => {
    const expected = expectedOf(request, payload)
    const known = expectations.get(expected.commandId)
    if (!known) (await openLog()).expect(expected.commandId)
    expectations.set(expected.commandId, { expected, times: (known?.times ?? 0) + 1 })
    return { expected, timeoutMs: request.timeoutMs, at: clock.elapsed() }
  }

  const send: Wire['send'] = async (request, payload) => {
    const { file, line } =
      payload === undefined
        ? broadcastCommand(operatorPackage, request)
        : { file: undefined, line: broadcastLine(operatorPackage, 'payload', payload) }
    if (file) {
      removals.push(file.removal)
      await (await link()).push(file.path, file.content, within(COMMAND_MS))
    }
    const sent = await note(request, payload)
    const read = readAmAnswer(await shell(line), operatorPackage)
    const refusal = read.kind === 'not sent' ? read.message : undefined
    demand(!refusal, `${refusal}.`, 'Export a receiver for com.svc.operator.ACTION_AGENT_COMMAND.')
    return sent
  }

  /** Answers in the log so far. */
  const answersTo = (reader: CheckLog, { commandId, nonce }: Expected) =>
    answersIn(reader.of(commandId), { wireId: commandId, nonce })

  const answerTo: Wire['answerTo'] = async ({ expected, timeoutMs, at }) => {
    const reader = log
    if (!reader) throw new LinkError('DEVICE_LINK_LOST', 'the log of the device is not being read')
    let seen = 0
    const find = () => {
      const lost = reader.ended()
      const lines = reader.of(expected.commandId).length
      const found = lines > seen ? answersTo(reader, expected)[0] : undefined
      seen = lines
      if (!found && lost) throw lost
      return found
    }
    const found = await poll(timeoutMs + ENVELOPE_GRACE_MS - (clock.elapsed() - at), find)
    const came =
      seen > 0
        ? `The result stayed incomplete: ${seen} of its chunks came.`
        : `No answer came within ${timeoutMs + ENVELOPE_GRACE_MS} ms.`
    silences = seen === 0 ? silences + 1 : 0
    demand(found, came, seen > 0 ? INCOMPLETE : UNANSWERED)
    return { ...found, envelope: judgeText(found.text, expected), tookMs: clock.elapsed() - at }
  }

  const request = (actions: readonly WrittenAction[], more?: CheckRequestOptions): OperatorRequest =>
    checkRequest(ids, actions, more)

  return {
    ...{ clock, operatorPackage, signal, request, link, shell, within, poll, send, answerTo, log: openLog },
    /** Counts as sent: a request that went by another way, and is answered in the log. */
    awaitInLog: (sent: OperatorRequest) => note(sent),
    ask: async (actions: readonly WrittenAction[], more?: CheckRequestOptions) =>
      answerTo(await send(request(actions, more))),
    /** How many answers in the log each request had so far, and how often it was sent. */
    async counts() {
      const reader = await openLog()
      return [...expectations.values()].map(({ expected, times }) => ({
        answers: answersTo(reader, expected).length,
        times,
      }))
    },
    /** How many requests in a row had no answer. */
    silences: () => silences,
    /** Ends the reading, and leaves the phone by this command line, also after a cancellation. */
    async leave(line: string) {
      const call = { deadline: clock.now() + COMMAND_MS, maxBytes: OUTPUT_BYTES_MAX.report }
      const present = log && !log.ended() ? log.link : await options.openLink(call).catch(() => undefined)
      log?.close()
      await present?.shell([...removals, line].join('; '), call).catch(() => {})
    },
  }
}
