/** Simulated devices with the real services before them: everything between `execute` and the device's UI is the product. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Executed } from '../../../src/service/executions/order.ts'
import { validateExecution } from '../../../src/service/executions/validate.ts'
import type { FleetOptions, SimulatedPhones } from '../../../src/simulator/simulated-phones.ts'
import { createServices, type ProcessParts, type ServicesOptions } from '../../../src/start/command.ts'
import { createRealAdb } from '../adb/real-adb.ts'
import { executeIn } from './execute-in.ts'

export interface LabOptions extends Omit<FleetOptions, 'clock'> {
  transport?: 'direct' | 'server'
  /** The built program, where threads take part. */
  program?: string
  /** Each phone is listed under a second serial too, as one on a cable and in a network is. */
  hasTwoSerials?: boolean
  /** Of the services; the phones have that of the system. */
  world?: ServicesOptions['world']
}

export interface LabExecution {
  deviceId?: string
  operatorPackage?: string
  timeoutMs?: number
  commandId?: string
}

export interface Lab {
  services: ProcessParts
  fleet: SimulatedPhones
  home: string
  notes: string[]
  /** Validates as a caller's payload would be; a payload that is refused fails the test. */
  execute(actions: readonly unknown[], options?: LabExecution): Promise<Executed>
  close(): Promise<void>
}

export const payloadOf = (
  actions: readonly unknown[],
  { timeoutMs = 20_000, commandId = 'c1' }: LabExecution = {},
) => ({
  commandId,
  taskId: 't1',
  source: 'test',
  expectedFormat: 'android-ui-automator',
  timeoutMs,
  actions,
})

/** The other name of this machine. */
export const secondSerial = (serial: string): string => serial.replace('127.0.0.1', 'localhost')

export const startLab = async ({
  transport = 'direct',
  program,
  world,
  hasTwoSerials = false,
  ...fleetOptions
}: LabOptions = {}): Promise<Lab> => {
  const home = mkdtempSync(join(tmpdir(), 'svc-lab-'))
  // A home that was used before: its user is told nothing more.
  mkdirSync(join(home, '.svc'), { mode: 0o700 })
  const notes: string[] = []
  const note = (text: string) => void notes.push(text)
  const maker = createServices({ env: { HOME: home, PATH: '' }, cwd: home, note })
  const fleet = await maker.simulate(fleetOptions)
  const adb = transport === 'server' ? createRealAdb() : undefined
  await adb?.start()
  const serials = fleet.devices.flatMap(({ serial }) => (hasTwoSerials ? [serial, secondSerial(serial)] : [serial]))
  const direct = { HOME: home, PATH: '', SVC_TCP_DEVICES: serials.join(',') }
  const env = adb ? { ...adb.env, SVC_HOME: join(home, '.svc') } : direct
  const services = createServices({ env, cwd: home, note, program, ...(world ? { world } : {}) })
  if (adb) notes.push(...(await services.attach(fleet, new AbortController().signal)).map(({ problem }) => problem))
  return {
    services,
    fleet,
    home,
    notes,
    execute(actions, options = {}) {
      const validation = validateExecution(payloadOf(actions, options))
      if (!validation.ok) throw new Error(validation.error.message)
      const { deviceId, operatorPackage = 'com.svc.operator' } = options
      return executeIn(services, {
        execution: validation.execution,
        deviceId,
        operatorPackage,
      })
    },
    async close() {
      await services.close()
      await fleet.close()
      await maker.close()
      await adb?.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
