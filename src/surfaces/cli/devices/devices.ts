/** `svc devices` and `svc device info`: of this machine, or of all hosts of the fleet. */

import { existsSync } from 'node:fs'
import type { DeviceInfo, ListedDevice } from '../../../contracts/device/device.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { unansweredField, unansweredSentence } from '../../../contracts/fleet.ts'
import type { ROUTES } from '../../../contracts/operations/routes.ts'
import type { Reservation } from '../../../contracts/reservation.ts'
import { homeOf, journalPath } from '../../../runtime/home.ts'
import { deviceIdFor } from '../../../service/executions.ts'
import { withLeases } from '../../../service/leased-devices.ts'
import type { InputOf, Result, Service, RequestOptions as ServiceCall, ServiceId } from '../../../service/service.ts'
import { type CommandContext, type CommandResult, usage } from '../command.ts'
import { concernsFleet, deviceOf, isInFleet } from '../executions/execution-command.ts'
import { leaseOf } from '../flags/flag-values.ts'
import { fieldsText, listText } from '../text/answer.ts'
import { lines, paragraph } from '../text/layout.ts'
import { type Page, SIGNS } from '../text/page.ts'
import { safe } from '../text/visible.ts'

const ANY = /^any\s*(:|$)/

/** The devices with the name that `--device` gives, in every state; all of them where it is absent or blank. */
const namedIn = (devices: readonly ListedDevice[], name: string | undefined): Result<readonly ListedDevice[]> => {
  const wanted = name?.trim() ?? ''
  if (wanted === '') return { ok: true, value: devices }
  if (ANY.test(wanted)) {
    throw usage(`svc devices shows the device that --device names; "${wanted}" names none.`, {
      hint: 'Give a serial, in a fleet also <serial>@<host>; without --device, all devices are listed with their labels.',
    })
  }
  const value = devices.filter(({ serial, deviceId }) => serial === wanted || deviceId === wanted)
  if (value.length > 0) return { ok: true, value }
  const connected = devices.filter(({ state }) => state === 'device').map(({ deviceId }) => deviceId)
  const hint = 'Without --device, svc devices lists all devices.'
  return {
    ok: false,
    error: failure('DEVICE_NOT_FOUND', `Device ${wanted} is not connected.`, { details: { connected }, hint }),
  }
}

/** None where nothing was ever recorded: the list of devices makes no journal. */
const leasesHere = async ({ env, services, signal }: CommandContext): Promise<readonly Reservation[]> => {
  if (env.SVC_JOURNAL === 'off' || !existsSync(journalPath(homeOf(env)))) return []
  const listed = await (await (await services()).service())['leases.list']({}, { context: { caller: 'cli' }, signal })
  return listed.ok ? listed.value.leases : []
}

export const listDevices = async (call: CommandContext): Promise<CommandResult> => {
  const { env, services, signal, log } = call
  const ask = (service: Service) => service['devices.list']({}, { context: { caller: 'cli' }, signal })
  const listed = isInFleet(env) ? await (await import('../fleet/session.ts')).askFleet(call, undefined, ask) : undefined
  const result = listed ?? (await ask(await (await services()).service()))
  if (!result.ok) return { ok: false, output: result.error }
  const { devices, unanswered } = result.value
  const line = unansweredSentence(unanswered)
  if (line !== undefined) log.warn(line)
  const leased = listed ? devices : withLeases(devices, await leasesHere(call))
  const named = namedIn(leased, call.text('device'))
  return named.ok
    ? { ok: true, output: { devices: named.value, ...unansweredField(unanswered) } }
    : { ok: false, output: named.error }
}

type AskDevice<T> = (service: Service, deviceId: string, call: ServiceCall) => Promise<Result<T>>

/** Asks the service that has the device: of this machine, or of the fleet. */
export const askDevice = async <T>(call: CommandContext, request: AskDevice<T>): Promise<Result<T>> => {
  const { env, services, signal } = call
  const device = deviceOf(call)
  const asked = { context: { caller: 'cli', leaseId: leaseOf(call) }, signal } as const
  const ask = async (service: Service): Promise<Result<T>> => {
    const chosen = await deviceIdFor(service, device, asked)
    return chosen.ok ? request(service, chosen.value, asked) : chosen
  }
  const inFleet = concernsFleet(env, device) ? await import('../fleet/session.ts') : undefined
  const isElsewhere = inFleet?.goesToFleet(call, device)
  const found = isElsewhere ? await inFleet?.askFleet(call, device, ask) : undefined
  return found ?? (await ask(await (await services()).service()))
}

/** The operations that look at one device. */
type Look = {
  [Id in ServiceId]: InputOf<Id> extends { deviceId: string }
    ? (typeof ROUTES)[Id & keyof typeof ROUTES][2] extends 'looks'
      ? Id
      : never
    : never
}[ServiceId]

/** A command that is one question to a device: the output is the answer without its `ok`. */
export const look = async <Id extends Look>(
  id: Id,
  call: CommandContext,
  input: Omit<InputOf<Id>, 'deviceId'>,
): Promise<CommandResult> => {
  const result = await askDevice(call, (service, deviceId, options) =>
    service[id]({ ...input, deviceId } as unknown as InputOf<Id>, options),
  )
  if (!result.ok) return { ok: false, output: result.error }
  const { ok: _, ...output } = result.value as { ok: true }
  return { ok: true, output }
}

export const showDevice = (call: CommandContext): Promise<CommandResult> => look('devices.get', call, {})

const READY = 'device'

const stateText = ({ state, draining }: ListedDevice): string => {
  if (draining) return `${SIGNS.warning} draining`
  return state === READY ? `${SIGNS.ok} ready` : `${SIGNS.warning} ${state}`
}

/** The note, and whose reservation it is. */
const leaseWords = ({ lease }: ListedDevice): string => {
  if (!lease) return ''
  const { note, keptBy, sessionId } = lease
  const what = note ?? (sessionId === undefined ? 'reserved' : `session ${sessionId.slice(0, 8)}`)
  return keptBy === undefined ? what : `${what}, ${keptBy.user}@${keptBy.machine}`
}

/** A person can change these states. */
const REMEDIES: Readonly<Record<string, string>> = {
  unauthorized: 'unauthorized: unlock the phone and allow USB debugging.',
  offline: 'offline: connect the device again, or run adb reconnect offline.',
}

const NONE =
  'No device is connected. Connect a phone with USB debugging, or run a simulated one: svc simulate --port 41001'

export const devicesText = (page: Page, { devices }: { devices: readonly ListedDevice[] }): string =>
  lines(
    listText(page, devices, {
      none: NONE,
      as: { state: stateText, lease: leaseWords },
      first: ['deviceId', 'state'],
      without: ['serial', 'draining'],
    }),
    ...[...new Set(devices.map(({ state }) => state))].map(state => paragraph(page, REMEDIES[state] ?? '')),
  )

export const deviceText = (page: Page, { device }: { device: DeviceInfo }): string =>
  lines(
    page.paint('bold', safe`${device.deviceId}`),
    fieldsText(page, device, {
      without: ['deviceId', 'serial', ...((device.users ?? []).length < 2 ? ['users'] : [])],
    }),
  )
