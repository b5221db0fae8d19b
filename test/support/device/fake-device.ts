/** A device with a log and an operator app, behind links that a test can cut: as much as the operator side needs. */

import type { OperatorRequest } from '../../../src/contracts/device/operator.ts'
import { type Link, LinkError, type LinkErrorCode } from '../../../src/device/link/link.ts'
import type { OpenLink } from '../../../src/device/operators/app/session/sessions.ts'
import { encodeFrame, frameCutter } from '../../../src/device/operators/app/wire/messages.ts'
import type { ManualClock } from '../manual-clock.ts'
import type { ByteQueue } from './byte-queue.ts'
import { type FakeHandlers, type FakeLink, fakeLink, shellOk } from './fake-link.ts'
import { answerLines, okStep, progressLine, wireEnvelopeOf } from './operator-samples.ts'

/** What the operator app does with a request: by default it answers that all went well. */
export type Behave = (request: OperatorRequest, operator: FakeDevice) => void

export interface FakeDevice {
  openLink: OpenLink
  /** All links that were ever opened, the present one last. */
  links: FakeLink[]
  requests: OperatorRequest[]
  files: Map<string, Uint8Array>
  behave: Behave
  /** Replaces what a command answers; undefined leaves it to the device. */
  onShell: (command: string) => ReturnType<NonNullable<FakeHandlers['shell']>> | undefined
  /** What `screencap -p` gives. */
  screenshot: Uint8Array
  onPush: () => Promise<void> | void
  onStream: () => void
  error(code: LinkErrorCode): LinkError
  /** `socket`: the operator accepts sessions. `none`: there is no operator. */
  operator: 'broadcast' | 'socket' | 'none'
  /** The greeting of a session names these; left out where undefined. */
  capabilities: string[] | undefined
  /** The frame that answers a question about a request; undefined for none. */
  onQuestion: (question: { commandId: string; nonce: string }) => object | undefined
  /** False: no new link can be had. */
  reachable: boolean
  /** Log lines reach open readers; off, they are only in the log. */
  readersLive: boolean
  log(...lines: string[]): void
  answer(request: OperatorRequest, more?: Parameters<typeof wireEnvelopeOf>[1]): void
  /** Says that a step of the request has ended. */
  progress(request: OperatorRequest, step: number, success?: boolean): void
  killReaders(): void
  /** All calls over all links. */
  calls(): string[]
  sockets(): ByteQueue[]
}

/** The clock of the device is wrong by a week. */
const CLOCK_ERROR_MS = -7 * 24 * 60 * 60 * 1_000 - 500

/** A PNG of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** The words of a command line that `quote` has made. */
export const wordsOf = (line: string): string[] =>
  [...line.matchAll(/((?:'[^']*'|\\'|[^\s'\\])+)/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|\\(')/g, (_, plain, escaped) => plain ?? escaped),
  )

export const envelopeFor = (request: OperatorRequest, more: Parameters<typeof wireEnvelopeOf>[1] = {}) =>
  wireEnvelopeOf(
    { wireId: request.commandId, nonce: request.nonce },
    { stepResults: request.actions.map(({ id, type }) => ({ ...okStep(id), actionType: type })), ...more },
  )

export const fakeDevice = (clock: ManualClock, operatorPackage = 'com.svc.operator'): FakeDevice => {
  const entries: { at: number; line: string }[] = []
  const readers = new Set<ByteQueue>()
  const now = () => clock.now() + 10 * 365 * 24 * 60 * 60 * 1_000 + CLOCK_ERROR_MS

  const broadcast = (words: readonly string[]) => {
    const of = (flag: string) => words[words.indexOf(flag) + 1] ?? ''
    const extra = words[words.indexOf('--es') + 1]
    const value = words[words.indexOf('--es') + 2] ?? ''
    if (device.operator === 'none' || of('-p') !== operatorPackage) {
      return { exitCode: 1, stdout: `Error: Target package not found: ${of('-p')}\n`, stderr: '' }
    }
    const payload = extra === 'payloadFile' ? Buffer.from(device.files.get(value) ?? []).toString() : value
    const request: OperatorRequest = JSON.parse(payload)
    device.requests.push(request)
    device.behave(request, device)
    return shellOk('Broadcasting: Intent { }\nBroadcast completed: result=0\n')
  }

  const handlers: FakeHandlers = {
    shell(command) {
      const given = device.onShell(command)
      if (given) return given
      const words = wordsOf(command)
      if (words[0] === 'am' && words[1] === 'broadcast') return broadcast(words)
      if (words[0] === 'am' && words[1] === 'force-stop') return shellOk()
      if (words[0] === 'rm') {
        device.files.delete(words[2] ?? '')
        return shellOk()
      }
      if (command === 'date +%s') return shellOk(`${Math.floor(now() / 1_000)}\n`)
      return { exitCode: 127, stdout: '', stderr: `${words[0]}: not found` }
    },
    exec(command) {
      if (command === 'screencap -p') return device.screenshot
      const words = wordsOf(command)
      const from = words.indexOf('-T')
      const since = from === -1 ? 0 : Number(words[from + 1]) * 1_000
      if (words[0] !== 'logcat' || !words.includes('-d')) throw new LinkError('DEVICE_SHELL_UNAVAILABLE', command)
      return Buffer.from(
        entries
          .filter(({ at }) => at >= since)
          .map(({ line }) => `${line}\n`)
          .join(''),
      )
    },
    stream(command, output) {
      device.onStream()
      if (!command.startsWith('logcat ')) return
      readers.add(output)
      const last = entries.at(-1)
      if (last) output.push(`${last.line}\n`)
    },
    async push(path, content) {
      await device.onPush()
      device.files.set(path, content)
    },
    socket(service, output) {
      if (device.operator !== 'socket' || service !== `localabstract:${operatorPackage}`) {
        throw new LinkError('LINK_SOCKET_REFUSED', `nobody listens on ${service}`)
      }
      sessions.push(output)
      const { capabilities } = device
      output.push(
        encodeFrame({
          ...{ type: 'hello', protocol: 1, package: operatorPackage, version: '1' },
          ...(capabilities && { capabilities }),
        }),
      )
      const cutter = frameCutter()
      return bytes => {
        for (const frame of cutter.push(bytes)) {
          const { type, payload, ...question } = JSON.parse(frame)
          if (type === 'result?') {
            const answer = device.onQuestion(question)
            if (answer) output.push(encodeFrame(answer))
            continue
          }
          device.requests.push(payload)
          device.behave(payload, device)
        }
      }
    },
  }
  const sessions: ByteQueue[] = []
  let present: FakeLink | undefined

  const openLink = async (serial: string): Promise<Link> => {
    if (present && !present.lost.aborted) return present
    if (!device.reachable) throw new LinkError('DEVICE_NOT_FOUND', `device '${serial}' not found`)
    present = fakeLink(clock, handlers, serial)
    device.links.push(present)
    return present
  }

  const device: FakeDevice = {
    openLink,
    links: [],
    requests: [],
    files: new Map(),
    behave: request => device.answer(request),
    onShell: () => undefined,
    screenshot: Buffer.from(PIXEL, 'base64'),
    onPush: () => {},
    onStream: () => {},
    error: code => new LinkError(code, `${code} of a fake device`),
    operator: 'broadcast',
    capabilities: undefined,
    onQuestion: () => undefined,
    reachable: true,
    readersLive: true,
    log(...lines) {
      for (const line of lines) {
        entries.push({ at: now(), line })
        if (device.readersLive) for (const reader of readers) reader.push(`${line}\n`)
      }
    },
    answer(request, more) {
      const envelope = envelopeFor(request, more)
      if (device.operator === 'socket') sessions.at(-1)?.push(encodeFrame({ type: 'result', envelope }))
      else device.log(...answerLines(envelope))
    },
    progress({ commandId, nonce }, step, success = true) {
      const progress = { commandId, nonce, step, success }
      if (device.operator === 'socket') sessions.at(-1)?.push(encodeFrame({ type: 'progress', ...progress }))
      else device.log(progressLine(progress))
    },
    killReaders() {
      for (const reader of readers) reader.end()
      readers.clear()
    },
    calls: () => device.links.flatMap(({ calls }) => calls),
    sockets: () => sessions,
  }
  return device
}
