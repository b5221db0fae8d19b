/** The snapshot helper kept running: requests over a port of the phone's loopback, one connection after the other. */
import { pause } from '../../runtime/clock.ts'
import type { NextFaults } from '../operator-app/fault-plan.ts'
import type { AppSocket } from '../phone-parts.ts'
import type { Fault, FaultKind } from '../scenario/fault.ts'
import {
  type AutomationConnection,
  captureHierarchy,
  failureAnswer,
  gesture,
  type HelperAnswer,
  type HelperFacts,
  HelperFailure,
  NoAutomation,
  PROTOCOL_FIELDS,
  viewport,
} from './requests.ts'

export interface HelperOptions {
  waitForIdleTimeoutMs: number
  waitForIdleQuietMs: number
  timeoutMs: number
  maxDepth: number
  maxNodes: number
}

export type Arguments = ReadonlyMap<string, string>

const USUAL: HelperOptions = {
  waitForIdleTimeoutMs: 500,
  waitForIdleQuietMs: 100,
  timeoutMs: 8_000,
  maxDepth: 128,
  maxNodes: 5_000,
}
const WHOLE = /^[-+]?\d+$/

const textIn = (args: Arguments, name: string): string | undefined => args.get(name)?.trim() || undefined

/** Nothing below 0; what is not a number counts as not said. */
const numberIn = (args: Arguments, name: string, otherwise: number): number => {
  const text = textIn(args, name)
  return text !== undefined && WHOLE.test(text) ? Math.max(0, Number(text)) : otherwise
}

export const optionsIn = (args: Arguments): HelperOptions => ({
  waitForIdleTimeoutMs: numberIn(args, 'waitForIdleTimeoutMs', USUAL.waitForIdleTimeoutMs),
  waitForIdleQuietMs: numberIn(args, 'waitForIdleQuietMs', USUAL.waitForIdleQuietMs),
  timeoutMs: numberIn(args, 'timeoutMs', USUAL.timeoutMs),
  maxDepth: numberIn(args, 'maxDepth', USUAL.maxDepth),
  maxNodes: numberIn(args, 'maxNodes', USUAL.maxNodes),
})

/** The answers repeat the options in this form. */
export const optionFields = (options: HelperOptions): Record<string, string> =>
  Object.fromEntries(Object.entries(options).map(([name, value]) => [name, String(value)]))

export const modeIn = (args: Arguments): string => textIn(args, 'mode') ?? 'snapshot'

/** Undefined for a call of its own. */
export const sessionPortIn = (args: Arguments): number | undefined => {
  const port = numberIn(args, 'sessionPort', 0)
  return modeIn(args) === 'snapshot' && port > 0 ? port : undefined
}

export const outputPathIn = (args: Arguments): string | undefined => textIn(args, 'outputPath')

export const payloadIn = (args: Arguments): string => textIn(args, 'payloadBase64') ?? ''

export const wantsChunks = (args: Arguments): boolean => {
  const text = textIn(args, 'emitChunks')
  return text === undefined || text.toLowerCase() === 'true'
}

interface SessionOptions {
  facts: HelperFacts
  options: HelperOptions
  connection: AutomationConnection
  faults: NextFaults
  /** Aborted when the process has ended. */
  signal: AbortSignal
  /** Ends the process: asked to, by an exception that left its loop, or killed. */
  end(how: 'quit' | 'crash' | HelperFailure): void
}

const COMMANDS = ['snapshot', 'viewport', 'gesture']
const ILLEGAL_ARGUMENT = 'java.lang.IllegalArgumentException'
const LINE_BYTES_MAX = 256 * 1_024
const LATE_MS = 1_000

/** The line that a client sends; undefined when it hangs up before. */
const lineOf = (socket: AppSocket): Promise<string | undefined> =>
  new Promise(resolve => {
    let held = Buffer.alloc(0)
    let isRead = false
    socket.onClose(() => resolve(undefined))
    socket.onData(bytes => {
      // Bytes after the line are not kept.
      if (isRead) return
      held = Buffer.concat([held, bytes])
      const end = held.indexOf(0x0a)
      isRead = end >= 0 || held.length > LINE_BYTES_MAX
      if (end >= 0) resolve(held.toString('utf8', 0, end))
      else if (held.length > LINE_BYTES_MAX) resolve(undefined)
    })
  })

/** In no order that anybody could rely on, and without line ends in the values. */
const encoded = ({ fields, xml }: HelperAnswer): Buffer => {
  const body = Buffer.from(xml ?? '')
  const all = Object.entries(xml === undefined ? fields : { byteLength: String(body.length), ...fields })
  const lines = all.reverse().map(([key, value]) => `${key}=${value.replace(/[\r\n]/g, ' ')}\n`)
  return Buffer.concat([Buffer.from(`${lines.join('')}\n`), body])
}

export const createHelperSession = ({ facts, options, connection, faults, signal, end }: SessionOptions) => {
  const perform = async (command: string, payload: string, hit: readonly Fault[]): Promise<HelperAnswer> => {
    if (command === 'quit') return { fields: {} }
    if (!COMMANDS.includes(command)) throw new HelperFailure(ILLEGAL_ARGUMENT, 'unknown session command')
    connection.use()
    if (command === 'snapshot') {
      const { fields, xml } = captureHierarchy(facts, options, hit)
      return { fields: { ...optionFields(options), ...fields }, ...(xml !== undefined && { xml }) }
    }
    if (command === 'viewport') return viewport(facts)
    return gesture(facts, payload, hit, signal)
  }

  const serve = async (socket: AppSocket): Promise<void> => {
    const line = await lineOf(socket)
    if (line === undefined || signal.aborted) return socket.close()
    const [command = '', requestId = '', payload = ''] = line.trim().split(/\s+/)
    const hit = command === 'quit' ? [] : faults()
    const is = (kind: FaultKind) => hit.some(fault => fault.do === kind)
    if (is('helper-dies-before')) return end('crash')
    let answer: HelperAnswer
    try {
      answer = await perform(command, payload, hit)
    } catch (error) {
      // Only a snapshot is answered without UiAutomation.
      if (error instanceof NoAutomation && command !== 'snapshot') return end(error)
      answer = failureAnswer(error)
    }
    if (signal.aborted) return
    if (is('helper-dies-after')) return end('crash')
    if (is('helper-hangs-up')) return socket.close()
    // The next client waits as long as this one does.
    if (is('helper-silent')) return new Promise(resolve => socket.onClose(resolve))
    const late = hit.find(fault => fault.do === 'helper-late')
    let hungUp = false
    socket.onClose(() => {
      hungUp = true
    })
    if (late) await pause(facts.waits, late.ms ?? LATE_MS, signal)
    // Writing to a client that has gone is an exception that nobody catches.
    if (hungUp) return end('crash')
    socket.write(encoded({ ...answer, fields: { ok: 'true', requestId, ...PROTOCOL_FIELDS, ...answer.fields } }))
    socket.close()
    if (command === 'quit') end('quit')
  }

  const open = new Set<AppSocket>()
  signal.addEventListener('abort', () => [...open].forEach(socket => void socket.close()), { once: true })
  let queue = Promise.resolve()
  return {
    accept(socket: AppSocket) {
      open.add(socket)
      socket.onClose(() => open.delete(socket))
      queue = queue.then(() => (signal.aborted ? socket.close() : serve(socket)))
    },
  }
}
