/** A simulated phone for tests of its operator app: requests in, results out, read as the protocol says. */
import { createHash } from 'node:crypto'
import { systemClock } from '../../../src/runtime/clock.ts'
import { createPhone, type PhoneOptions, type SimulatedPhone } from '../../../src/simulator/device.ts'
import type { AppSocket } from '../../../src/simulator/phone-parts.ts'
import { defaultScenario } from '../../../src/simulator/scenario/default/apps.ts'

export const NONCE = 'ab'.repeat(16)
const ACTION = 'com.svc.operator.ACTION_AGENT_COMMAND'
const PACKAGE = 'com.svc.operator'

export const phoneOf = (more: Partial<PhoneOptions> = {}): SimulatedPhone =>
  createPhone({
    name: 'sim-1',
    serialno: 'SERIAL1',
    scenario: { ...defaultScenario(), timeScale: 0.05 },
    clock: systemClock(),
    ...more,
  })

/** The phone of `phoneOf`, with other facts of its operator app. */
export const phoneWithOperator = (
  operator: Partial<PhoneOptions['scenario']['device']['operator']>,
  more: Partial<PhoneOptions> = {},
): SimulatedPhone => {
  const scenario = defaultScenario()
  const device = { ...scenario.device, operator: { ...scenario.device.operator, ...operator } }
  return phoneOf({ scenario: { ...scenario, timeScale: 0.05, device }, ...more })
}

export interface WrittenStep {
  type: string
  params?: object
}

export const requestOf = (wireId: string, steps: readonly WrittenStep[], more: object = {}) => ({
  commandId: wireId,
  taskId: 'task',
  source: 'test',
  expectedFormat: 'android-ui-automator',
  timeoutMs: 30_000,
  nonce: NONCE,
  protocol: 1,
  actions: steps.map((step, index) => ({ id: `step-${index}`, ...step })),
  ...more,
})

export const broadcast = (phone: SimulatedPhone, payload: string | object): number | undefined =>
  phone.broadcast({
    action: ACTION,
    packageName: PACKAGE,
    extras: { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) },
  })

export const operatorLines = (phone: SimulatedPhone): string[] =>
  phone.log.entries().flatMap(({ tag, message }) => (tag === 'SvcOperator' ? [message] : []))

export interface Envelope {
  commandId: string
  taskId: string
  nonce: string
  status: string
  stepResults: { id: string; success: boolean; data: Record<string, string> }[]
  error: { code: string; message: string } | null
  errorCode?: string
}

export interface Chunk {
  commandId: string
  nonce: string
  index: number
  count: number
  byteLength: number
  sha256: string
  data: string
}

const after = (line: string, prefix: string): unknown =>
  line.startsWith(prefix) ? JSON.parse(line.slice(prefix.length)) : undefined

export const chunksIn = (lines: readonly string[]): Chunk[] =>
  lines.flatMap(line => (after(line, '[Svc-Result-Chunk] ') as Chunk | undefined) ?? [])

/** Throws at anything that is not as announced. */
export const assembled = (chunks: readonly Chunk[]): Envelope => {
  const [first] = chunks
  if (!first) throw new Error('there are no chunks')
  const whole = Buffer.concat(
    Array.from({ length: first.count }, (_, index) => {
      const chunk = chunks.find(one => one.index === index)
      if (!chunk) throw new Error(`chunk ${index} is missing`)
      return Buffer.from(chunk.data, 'base64')
    }),
  )
  if (whole.length !== first.byteLength) throw new Error(`${whole.length} bytes instead of ${first.byteLength}`)
  if (createHash('sha256').update(whole).digest('hex') !== first.sha256) throw new Error('another digest')
  return JSON.parse(whole.toString('utf8'))
}

export const envelopesIn = (lines: readonly string[]): Envelope[] =>
  lines.flatMap(line => (after(line, '[Svc-Result] ') as Envelope | undefined) ?? [])

export interface Talk {
  /** The frames that came so far, as text. */
  frames: string[]
  send(frame: string | object): void
  /** Bytes as they are. */
  write(bytes: Uint8Array): void
  isClosed(): boolean
  close(): void
}

export const frameOf = (body: string): Buffer => {
  const bytes = Buffer.from(body)
  const header = Buffer.alloc(4)
  header.writeUInt32BE(bytes.length)
  return Buffer.concat([header, bytes])
}

export const talkTo = (socket: AppSocket | undefined): Talk => {
  if (!socket) throw new Error('nobody listens')
  const frames: string[] = []
  let held = Buffer.alloc(0)
  let closed = false
  socket.onClose(() => {
    closed = true
  })
  socket.onData(bytes => {
    held = Buffer.concat([held, bytes])
    while (held.length >= 4 && held.length >= 4 + held.readUInt32BE()) {
      const end = 4 + held.readUInt32BE()
      frames.push(held.toString('utf8', 4, end))
      held = held.subarray(end)
    }
  })
  return {
    frames,
    send: frame => socket.write(frameOf(typeof frame === 'string' ? frame : JSON.stringify(frame))),
    write: bytes => socket.write(bytes),
    isClosed: () => closed,
    close: () => socket.close(),
  }
}
