/** The checks of `svc operator check` against the operator app of a simulated phone, over a real link. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tcpDevices } from '../../../src/contracts/device/addresses.ts'
import { createLinks } from '../../../src/device/link/links.ts'
import { type CheckReport, runChecks } from '../../../src/device/operators/check/run-checks.ts'
import type { Vector } from '../../../src/device/operators/check/vector.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { systemIds } from '../../../src/runtime/ids.ts'
import { scaledClock } from '../../../src/simulator/scaled-clock.ts'
import { defaultScenario } from '../../../src/simulator/scenario/default/apps.ts'
import { type FleetOptions, startSimulatedPhones } from '../../../src/simulator/simulated-phones.ts'

export interface CheckedPhone extends Omit<FleetOptions, 'clock'> {
  /** How long a second of host and phone takes, in seconds. */
  pace?: never
  hostScale?: number
  checks?: readonly Vector[]
  signal?: AbortSignal
}

/** Starts the phone, checks its operator app, and ends the phone. `scenario` lives fast unless one is given. */
export const checkSimulated = async ({ hostScale = 1, checks, signal, ...options }: CheckedPhone = {}) => {
  const clock = scaledClock(systemClock(), hostScale)
  const folder = mkdtempSync(join(tmpdir(), 'svc-operator-check-'))
  const scenario = options.scenario ?? { ...defaultScenario(), timeScale: 0.05 }
  const fleet = await startSimulatedPhones({ ...options, scenario, clock })
  const [device] = fleet.devices
  const serial = device?.serial ?? ''
  const links = createLinks({
    clock,
    server: { path: join(folder, 'no-adb-server') },
    program: { path: undefined, env: {} },
    tcpDevices: tcpDevices(serial),
    keyPath: join(folder, 'adbkey'),
  })
  try {
    const report: CheckReport = await runChecks(
      {
        clock,
        ids: systemIds(),
        operatorPackage: 'com.svc.operator',
        signal: signal ?? new AbortController().signal,
        openLink: call => links.get(serial, call),
      },
      checks,
    )
    const front = device?.phone.foreground().packageName
    const files = device?.phone.files.list('/data/local/tmp') ?? []
    return { report, front, files, failed: report.checks.filter(({ held }) => !held) }
  } finally {
    await links.close()
    await fleet.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
