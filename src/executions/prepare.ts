/** Finding out where an execution runs: its device, the key under which that is owned, and its operator. */

import type { CallOptions, Link } from '../adb/link.ts'
import type { Links } from '../adb/links.ts'
import { deviceLeaseKey, selectDevice } from '../adb/select-device.ts'
import type { ErrorObject } from '../contracts/error.ts'
import type { ExecuteRequest, ExecutorOptions } from './execute.ts'
import { asFailure } from './refusals.ts'

/** The device that is ready, and the key under which it is owned; or why there is none. */
export type Reached = { ok: true; deviceId: string; link: Link } | { ok: false; deviceId?: string; error: ErrorObject }

export interface Ready {
  ok: true
  deviceId: string
  link: Link
  leaseKey: string
  operatorPackage: string
  /** The serials by which a rule of the policy may know the device. */
  serials: readonly string[]
}

export type Prepared = Ready | { ok: false; deviceId?: string; error: ErrorObject }

/** Bounds listing the devices and opening the link. */
const PREPARE_MS = 20_000

/** A named device that holds a link is there and ready; the listing is for the others, and for saying why not. */
export const reachDevice = async (links: Links, wanted: string | undefined, options: CallOptions): Promise<Reached> => {
  const named = wanted?.trim() ?? ''
  const open = links.current(named)
  if (open) return { ok: true, deviceId: named, link: open }
  await links.probe(named, options)
  const opened = links.current(named)
  if (opened) return { ok: true, deviceId: named, link: opened }
  const { devices, problem } = await links.list(options)
  const selected = selectDevice(devices, wanted, problem)
  if (!selected.ok) return selected
  const deviceId = selected.serial
  try {
    return { ok: true, deviceId, link: await links.get(deviceId, options) }
  } catch (error) {
    return { ok: false, deviceId, error: asFailure(error) }
  }
}

export const createPrepare = ({ links, clock, leaseBy, operatorChoice, policy, fence }: ExecutorOptions) => {
  const choose = async (request: ExecuteRequest, options: CallOptions): Promise<Prepared> => {
    const reached = await reachDevice(links, request.deviceId, options)
    if (!reached.ok) return reached
    const { deviceId, link } = reached
    try {
      const leaseKey = await deviceLeaseKey(link, leaseBy, options)
      // Nothing is accepted that could not be dispatched; it is asked again before each dispatch.
      const fenced = fence.refusal(leaseKey, { ...request, serial: deviceId })
      if (fenced) return { ok: false, deviceId, error: fenced }
      const operatorPackage =
        request.operatorPackage ?? (await operatorChoice.choose(link, options, request.execution.actions))
      // A rule may know it by either serial, whichever the lease goes by.
      const serials = policy.isThere() ? [deviceId, await link.hardwareSerial(options)] : [deviceId]
      return { ok: true, deviceId, link, leaseKey, operatorPackage, serials }
    } catch (error) {
      return { ok: false, deviceId, error: asFailure(error) }
    }
  }

  /** Only reads: nothing touches a device before it is owned. */
  return async (request: ExecuteRequest): Promise<Prepared> => {
    const { cancel, execution, answerBy } = request
    const left = answerBy === undefined ? PREPARE_MS : answerBy - execution.timeoutMs - clock.elapsed()
    try {
      return await choose(request, { deadline: clock.now() + Math.min(PREPARE_MS, left), signal: cancel })
    } catch (error) {
      return { ok: false, error: asFailure(error) }
    }
  }
}
