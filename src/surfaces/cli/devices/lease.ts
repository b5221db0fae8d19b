/** `svc lease`: kept by the daemon, by another host of the fleet, or by this process until a signal comes or the time is over. */
import * as v from 'valibot'
import { ANY_DEVICE } from '../../../contracts/any-device.ts'
import { unansweredField, unansweredSentence } from '../../../contracts/fleet.ts'
import { LEASE_MS, LEASE_NOTE_CHARS_MAX, LEASE_WAIT_MS } from '../../../contracts/limits/reservation-limits.ts'
import { isId } from '../../../contracts/records/ids.ts'
import { type LeaseBody, LeaseNote, type Reservation } from '../../../contracts/reservation.ts'
import { pause } from '../../../runtime/clock.ts'
import { deviceIdFor } from '../../../service/executions.ts'
import type { OutputOf, Result, Service, RequestOptions as ServiceCall } from '../../../service/service.ts'
import { type CommandContext, type CommandResult, usage } from '../command.ts'
import { concernsFleet, isInFleet } from '../executions/execution-command.ts'
import { timeFlag } from '../flags/time-flag.ts'
import { fieldsText, listText } from '../text/answer.ts'
import { headline, lines, paragraph } from '../text/layout.ts'
import { type Page, shortId } from '../text/page.ts'
import { safe } from '../text/visible.ts'

const forMsOf = (call: CommandContext, shape: string): number => {
  const forMs = timeFlag(call, 'for', LEASE_MS)
  if (forMs === undefined) {
    throw usage(`--for is missing: ${shape}`, { hint: 'Say how long the device is reserved, such as --for 10m.' })
  }
  return forMs
}

const noteOf = (call: CommandContext): { note?: string } => {
  const note = call.text('note')?.trim()
  if (note === undefined) return {}
  if (v.is(LeaseNote, note)) return { note }
  throw usage(`--note must be one line of 1 to ${LEASE_NOTE_CHARS_MAX} characters.`)
}

const leaseIdOf = ({ args: [leaseId] }: CommandContext): string => {
  if (leaseId !== undefined && isId(leaseId)) return leaseId
  throw usage(`Name the reservation by its leaseId; got "${leaseId ?? ''}".`, {
    hint: 'svc lease list shows the reservations that are held.',
  })
}

type Answered = Result<OutputOf<'leases.create'>>

const output = (result: Answered): CommandResult =>
  result.ok ? { ok: true, output: { lease: result.value.lease } } : { ok: false, output: result.error }

const contextOf = ({ signal }: CommandContext): ServiceCall => ({ context: { caller: 'cli' }, signal, leave: signal })

const isDaemonDisabled = ({ env, isOn }: CommandContext): boolean =>
  isOn('no-daemon') || env.SVC_NO_DAEMON === '1' || process.platform === 'win32'

/** The command stays while the device is reserved: its end frees the device. */
const keepHere = async (service: Service, body: LeaseBody, call: CommandContext): Promise<Answered> => {
  const { clock, signal } = call
  const made = await service['leases.create'](body, contextOf(call))
  if (!made.ok) return made
  const { lease } = made.value
  await call.announce({ lease })
  const options: ServiceCall = { context: { caller: 'cli' } }
  const isHeld = async () => {
    const listed = await service['leases.list']({}, options)
    return listed.ok && listed.value.leases.some(({ leaseId }) => leaseId === lease.leaseId)
  }
  while (!signal.aborted && (await isHeld())) await pause(clock, LOOK_MS, signal)
  if (!signal.aborted) return made
  const ended = await service['leases.end']({ leaseId: lease.leaseId }, options)
  return ended.ok || ended.error.code !== 'LEASE_NOT_FOUND' ? ended : made
}

const LOOK_MS = 250

/** Undefined where the device is of this machine. */
const inFleet = async <T>(
  call: CommandContext,
  device: string | undefined,
  ask: (service: Service) => Promise<Result<T>>,
): Promise<Result<T> | undefined> => {
  const isElsewhere = device === undefined ? isInFleet(call.env) : concernsFleet(call.env, device)
  if (!isElsewhere) return undefined
  const session = await import('../fleet/session.ts')
  if (device !== undefined && !session.goesToFleet(call, device)) return undefined
  return session.askFleet(call, device, ask)
}

export const reserveDevice = async (call: CommandContext, shape: string): Promise<CommandResult> => {
  const { args, text } = call
  if (args[0] !== undefined && text('device') !== undefined)
    throw usage('Name the device once: as the argument, or with --device.')
  const device = (args[0] ?? text('device'))?.trim() || undefined
  const waitMs = timeFlag(call, 'wait', LEASE_WAIT_MS)
  const wanted = { forMs: forMsOf(call, shape), ...(waitMs === undefined ? {} : { waitMs }), ...noteOf(call) }
  const create = (service: Service, name: string) =>
    service['leases.create']({ device: name, ...wanted }, contextOf(call))
  const elsewhere = device === undefined ? undefined : await inFleet(call, device, service => create(service, device))
  if (elsewhere) return output(elsewhere)
  const isHere = isDaemonDisabled(call)
  const found = isHere
    ? { ok: true as const, value: await (await call.services()).service() }
    : await (await import('../daemon/daemon-service.ts')).daemonService(call, device === ANY_DEVICE ? '' : device)
  if (!found.ok) return { ok: false, output: found.error }
  const chosen = await deviceIdFor(found.value, device, contextOf(call))
  if (!chosen.ok) return { ok: false, output: chosen.error }
  if (!isHere) return output(await create(found.value, chosen.value))
  return { ...output(await keepHere(found.value, { device: chosen.value, ...wanted }, call)), expectsSignal: true }
}

/** Any process of this home may ask: the one that keeps the reservation hears it. */
const change = async (call: CommandContext, ask: (service: Service) => Promise<Answered>): Promise<CommandResult> =>
  output((await inFleet(call, undefined, ask)) ?? (await ask(await (await call.services()).service())))

export const extendLease = async (call: CommandContext, shape: string): Promise<CommandResult> => {
  const input = { leaseId: leaseIdOf(call), forMs: forMsOf(call, shape) }
  return change(call, service => service['leases.extend'](input, contextOf(call)))
}

export const endLease = async (call: CommandContext): Promise<CommandResult> => {
  const leaseId = leaseIdOf(call)
  return change(call, service => service['leases.end']({ leaseId }, contextOf(call)))
}

export const listLeases = async (call: CommandContext): Promise<CommandResult> => {
  const ask = (service: Service) => service['leases.list']({}, contextOf(call))
  const result = (await inFleet(call, undefined, ask)) ?? (await ask(await (await call.services()).service()))
  if (!result.ok) return { ok: false, output: result.error }
  const { leases, count, unanswered } = result.value
  const line = unansweredSentence(unanswered)
  if (line !== undefined) call.log.warn(line)
  return { ok: true, output: { leases: leases satisfies Reservation[], count, ...unansweredField(unanswered) } }
}

const keptByWords = ({ keptBy }: Reservation): string | undefined =>
  keptBy && `${keptBy.user}@${keptBy.machine}, process ${keptBy.pid}`

export const leaseText = (page: Page, { lease }: { lease: Reservation }): string => {
  const use = `Use it: svc ... --lease ${lease.leaseId}, or set SVC_LEASE. Give it back: svc lease end ${lease.leaseId}`
  return lines(
    headline(page, 'ok', safe`${lease.deviceId} is reserved`),
    fieldsText(page, lease, { as: { keptBy: keptByWords } }),
    paragraph(page, use),
  )
}

export const leaseEndedText = (page: Page, { lease }: { lease: Reservation }): string =>
  headline(page, 'ok', safe`${lease.deviceId} was given back`)

export const leasesText = (page: Page, { leases }: { leases: readonly Reservation[] }): string =>
  listText(page, leases, {
    first: ['leaseId', 'deviceId'],
    none: 'No device is reserved. Reserve one: svc lease <device> --for 10m',
    as: {
      keptBy: keptByWords,
      sessionId: ({ sessionId = '' }) => shortId(page, sessionId),
      flowRunId: ({ flowRunId = '' }) => shortId(page, flowRunId),
    },
  })
