/** The last phase of a start: settings are switched on, except on a device that somebody has reserved, which stays as it is. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemIds } from '../../../src/runtime/ids.ts'
import type { PortTools } from '../../../src/runtime/port.ts'
import { emulatorParts } from '../../../src/start/emulators.ts'
import { type Lab, startLab } from '../../support/executions/lab.ts'

let lab: Lab
beforeEach(async () => {
  lab = await startLab()
})
afterEach(() => lab.close())

const serial = () => lab.fleet.devices[0]?.serial ?? ''
const SWITCHED = 'global/development_settings_enabled'
const settings = () => lab.fleet.devices[0]?.phone.settings

const prepare = async () => {
  const { services } = lab
  const { ports } = emulatorParts({
    ...{ home: lab.home, leaseBy: 'hardware-serial', env: {}, arch: 'x64', ids: systemIds(), clock: services.clock },
    ...{ host: services.host, journal: services.journal, links: services.links },
  })
  const sent: string[] = []
  const stop = new AbortController()
  const send = async ({ type }: { type: string }) => {
    sent.push(type)
    return true
  }
  const tools = { send, signal: stop.signal } as unknown as PortTools
  await ports.emulator.prepare?.({ avdName: 'a', process: null, serial: serial() } as never, tools)
  return sent
}

const reserve = async () => {
  const body = { device: serial(), forMs: 60_000 }
  const made = await (await lab.services.service())['leases.create'](body, { context: { caller: 'cli' } })
  if (!made.ok) throw new Error(made.error.message)
}

test('settings are switched on', async () => {
  settings()?.set(SWITCHED, '0')
  expect(await prepare()).toEqual(['settings.enabled'])
  expect(settings()?.get(SWITCHED)).toBe('1')
})

test('whoever has reserved it meanwhile has it as it is, and the start does not fail for that', async () => {
  settings()?.set(SWITCHED, '0')
  await reserve()
  expect(await prepare()).toEqual(['settings.enabled'])
  expect(settings()?.get(SWITCHED)).toBe('0')
})
