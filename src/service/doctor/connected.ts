/** `svc doctor` on what is connected: the debug bridge, the devices, the operator app on each of them. */

import { addressText, serverAddress, tcpDevices } from '../../contracts/device/addresses.ts'
import type { DeviceRecord } from '../../contracts/device/device.ts'
import { SHELL_OPERATOR_PACKAGE } from '../../contracts/device/operator.ts'
import { findAdb } from '../../device/link/adb-program.ts'
import { LinkError } from '../../device/link/link.ts'
import type { Links } from '../../device/link/links.ts'
import type { OperatorChoice } from '../../device/operators/choose-operator.ts'
import { traitsOf } from '../../device/operators/traits.ts'
import type { Environment } from '../../runtime/home.ts'
import { type Check, failed, fine, warning } from './check.ts'

const LIST_MS = 15_000
const ASK_MS = 10_000

export interface ConnectedOptions {
  env: Environment
  links: Links
  now: () => number
  signal: AbortSignal
  /** The one that was named. */
  operatorPackage: string | undefined
  operatorChoice: OperatorChoice
}

export interface SeenDevice extends DeviceRecord {
  /** True when the operator app is installed; null when the device could not be asked. */
  operator?: boolean | null
  /** The one that commands use there. */
  operatorPackage?: string
}
type SeenOperator = 'operator' | 'operatorPackage'

const checkBridge = (env: Environment, problem: LinkError | undefined): Check => {
  const program = findAdb(env)
  const address = addressText(serverAddress(env))
  const hasOthers = (env.SVC_TCP_DEVICES ?? '').trim() !== ''
  const hint = 'Install the Android platform tools, or set ADB_PATH; devices in SVC_TCP_DEVICES do not need adb.'
  if (problem) {
    const judge = hasOthers ? warning : failed
    return judge('adb', problem.message, { details: { program: program ?? null, address, code: problem.code }, hint })
  }
  if (program === undefined && hasOthers)
    return fine('adb', 'no adb program; devices in SVC_TCP_DEVICES do not need it')
  return fine('adb', `the adb server at ${address} answers`, { details: { program: program ?? null, address } })
}

/** The operator that a command would use there, and whether it is installed. */
const operatorOn = async (serial: string, options: ConnectedOptions): Promise<Pick<SeenDevice, SeenOperator>> => {
  const { links, now, signal, operatorPackage, operatorChoice } = options
  const call = { deadline: now() + ASK_MS, signal }
  try {
    const link = await links.get(serial, call)
    const used = operatorPackage ?? (await operatorChoice.choose(link, call))
    return { operator: (await traitsOf(used).isInstalled(link, call)) === true, operatorPackage: used }
  } catch (error) {
    if (error instanceof LinkError) return { operator: null }
    throw error
  }
}

const UNREADY: Readonly<Record<string, string>> = {
  unauthorized: 'Unlock the device and allow USB debugging.',
  offline: 'Reconnect it, or restart the device.',
}

const isNoAddress = (serial: string, { SVC_TCP_DEVICES: list }: Environment): boolean =>
  tcpDevices(list).some(entry => entry.serial === serial && entry.address === undefined)

const checkDevice = (device: SeenDevice, env: Environment): Check => {
  const { serial, state, operator, operatorPackage = '' } = device
  const name = `device ${serial}`
  if (state === 'offline' && isNoAddress(serial, env)) {
    return warning(name, 'this entry of SVC_TCP_DEVICES is not an address', {
      hint: 'Write each as <host>:<port>, with commas between them.',
    })
  }
  if (state !== 'device') {
    const hint = UNREADY[state]
    return warning(name, `its state is ${state}`, hint === undefined ? {} : { hint })
  }
  if (operator === true) {
    const { upgradeHint: hint } = traitsOf(operatorPackage)
    return fine(name, `ready, with ${operatorPackage}`, hint === undefined ? {} : { hint })
  }
  if (operator === null) return warning(name, 'does not answer', { hint: 'Reconnect it, or restart the device.' })
  return warning(name, `ready, but ${operatorPackage} is not installed`, {
    hint: `${traitsOf(operatorPackage).installHint}, or use --operator-package ${SHELL_OPERATOR_PACKAGE}, which does not need an app.`,
  })
}

const listed = async ({ links, now, signal }: ConnectedOptions) => {
  try {
    return await links.list({ deadline: now() + LIST_MS, signal })
  } catch (error) {
    if (error instanceof LinkError) return { devices: [], problem: error }
    throw error
  }
}

export const checkConnected = async (
  options: ConnectedOptions,
): Promise<{ checks: Check[]; devices: SeenDevice[] }> => {
  const { devices, problem } = await listed(options)
  const seen = await Promise.all(
    devices.map(async (device): Promise<SeenDevice> => {
      if (device.state !== 'device') return device
      return { ...device, ...(await operatorOn(device.serial, options)) }
    }),
  )
  const none = warning('devices', 'no device is connected', {
    hint: 'Connect one with USB debugging on, start an emulator, or try svc simulate.',
  })
  const each = seen.map(device => checkDevice(device, options.env))
  return { checks: [checkBridge(options.env, problem), ...(each.length === 0 ? [none] : each)], devices: seen }
}
