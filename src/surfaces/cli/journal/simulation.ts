/** `svc simulate` at work: the flags and the files that they name, a fleet of simulated devices, until the signal. */

import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { defined } from '../../../contracts/json/json.ts'
import { PORT_MAX } from '../../../contracts/limits/limits.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { OPERATOR_WAYS } from '../../../simulator/scenario/device.ts'
import { type Fault, parseFaults } from '../../../simulator/scenario/fault.ts'
import { readScenario, type Scenario } from '../../../simulator/scenario/scenario.ts'
import { FLEET_MAX, FLEET_STATES, type FleetOptions } from '../../../simulator/simulated-phones.ts'
import { type CommandContext, CommandError, type CommandResult, usage } from '../command.ts'
import { oneOf, wholeNumber } from '../flags/flag-values.ts'
import { listText } from '../text/answer.ts'
import { counted, headline, lines } from '../text/layout.ts'
import type { Page } from '../text/page.ts'
import { safe } from '../text/visible.ts'

const contentOf = async (call: CommandContext, flag: string): Promise<string | undefined> => {
  const path = call.text(flag)
  if (path === undefined) return undefined
  try {
    return await readFile(resolve(call.cwd, path), 'utf8')
  } catch (error) {
    throw usage(`--${flag}: ${path} cannot be read: ${messageOf(error)}`)
  }
}

const scenarioOf = async (call: CommandContext): Promise<Scenario | undefined> => {
  const content = await contentOf(call, 'scenario')
  if (content === undefined) return undefined
  const parsed = readScenario(content)
  if (!parsed.ok) throw usage(`--scenario ${call.text('scenario')}: ${parsed.error}`)
  return parsed.scenario
}

const faultsOf = async (call: CommandContext): Promise<Fault[] | undefined> => {
  const content = await contentOf(call, 'faults')
  if (content === undefined) return undefined
  let json: unknown
  try {
    json = JSON.parse(content)
  } catch (error) {
    throw usage(`--faults ${call.text('faults')} is not JSON: ${messageOf(error)}`)
  }
  const parsed = parseFaults(json)
  if (!parsed.ok) throw usage(`--faults ${call.text('faults')}: ${parsed.error}`)
  return parsed.faults
}

const fleetOptions = async (call: CommandContext): Promise<Omit<FleetOptions, 'clock'>> => {
  const count = wholeNumber(call, 'count', { min: 1, max: FLEET_MAX })
  const port = wholeNumber(call, 'port', { min: 1, max: PORT_MAX })
  const last = (port ?? 1) + (count ?? 1) - 1
  if (last > PORT_MAX) throw usage(`Ports ${port} to ${last} are out of range: ${PORT_MAX} is the last port.`)
  return defined({
    count,
    port,
    scenario: await scenarioOf(call),
    faults: await faultsOf(call),
    state: oneOf(call, 'state', FLEET_STATES),
    operator: oneOf(call, 'operator', OPERATOR_WAYS),
  })
}

/** The one thing outside of this process that keeps a fleet from starting. */
const refusePort = (error: unknown): never => {
  const { code, port } = error as { code?: unknown; port?: unknown }
  if (code === 'EADDRINUSE') {
    throw new CommandError('SERVE_START_FAILED', `Port ${port} is in use.`, {
      hint: 'Choose another --port, or omit it to use free ports.',
    })
  }
  if (code === 'EACCES') {
    throw new CommandError('SERVE_START_FAILED', `Port ${port} may not be used by this user.`, {
      hint: 'Choose a port above 1023.',
    })
  }
  throw error
}

/** A program reads the JSON; a person copies this line. */
const exportLine = (serials: readonly string[]): string =>
  `In the terminal in which you use them:\n  export SVC_TCP_DEVICES=${serials.join(',')}`

export const runSimulation = async (call: CommandContext): Promise<CommandResult> => {
  const { io, log, signal } = call
  if (call.isOn('schema')) {
    const { scenarioJsonSchema } = await import('../../../simulator/scenario/json-schema.ts')
    await io.print(JSON.stringify(scenarioJsonSchema(), null, 2))
    return { ok: true }
  }
  const options = await fleetOptions(call)
  const services = await call.services()
  const fleet = await services.simulate(options).catch(refusePort)
  try {
    if (call.isOn('adb')) {
      for (const { serial, problem } of await services.attach(fleet, signal)) log.warn(`${serial}: ${problem}`)
    }
    const devices = fleet.devices.map(({ serial, port, name }) => ({ serial, port, name }))
    await call.announce({ ok: true, devices })
    if (call.format !== 'text' && io.isTerminal()) io.note(exportLine(devices.map(({ serial }) => serial)))
    if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
    if (call.isOn('adb')) await services.detach(fleet)
  } finally {
    await fleet.close()
  }
  return { ok: true }
}

interface SimulatedDevices {
  devices: readonly { serial: string; port: number; name: string }[]
}

export const simulatedText = (page: Page, { devices }: SimulatedDevices): string => {
  const them = devices.length === 1 ? 'it' : 'them'
  return lines(
    headline(page, 'ok', `${counted(devices.length, 'simulated device')} ready. Ctrl-C ends ${them}.`),
    listText(page, devices, { without: ['port'] }),
    safe`To use ${them}: export SVC_TCP_DEVICES=${devices.map(({ serial }) => serial).join(',')}`,
  )
}
