/** Many commands at once where no daemon runs: real programs, counted on the device. */

import { expect, test } from 'vitest'
import type { CliEnded } from '../../../support/cli/run-cli.ts'
import { svcLab } from '../../../support/cli/svc-lab.ts'
import { DEVICE_CONFLICT, UNNAMED_DEVICE } from '../../../support/failure-codes.ts'
import { call } from '../../../support/http/http-client.ts'

const codeOf = (ended: CliEnded) => (ended.code === 0 ? 'success' : ended.json().code)

export const coldSuite = (many: number) => {
  const labOf = svcLab()

  test(`${many} snapshots of one device: one daemon, and an answer or a conflict for each`, async () => {
    const lab = await labOf()
    const all = await Promise.all(Array.from({ length: many }, () => lab.svc(['snapshot'])))
    expect(new Set(lab.daemons()).size).toBe(1)
    const codes = all.map(codeOf)
    const answered = codes.filter(code => code === 'success').length
    expect(answered).toBeGreaterThan(0)
    for (const code of codes) expect(['success', DEVICE_CONFLICT]).toContain(code)
    expect(lab.seen()).toBe(answered)
  })

  test(`${many} snapshots of as many devices: an answer for each, one daemon for each key, each device asked once`, async () => {
    const lab = await labOf({ count: many })
    const all = await Promise.all(lab.fleet.devices.map(({ serial }) => lab.svc(['snapshot', '--device', serial])))
    expect(all.map(ended => (ended.code === 0 ? 'success' : ended.stdout))).toEqual(all.map(() => 'success'))
    for (const [index, { serial }] of lab.fleet.devices.entries()) {
      expect(all[index]?.json()).toMatchObject({ deviceId: serial })
      // One that does not come up in time on a busy machine is done without, and that is said.
      const isProxied = all[index]?.stderr === ''
      expect(lab.daemons(serial).length).toBeLessThanOrEqual(1)
      if (isProxied) expect(lab.daemons(serial)).toEqual([lab.metadata(serial)?.pid])
      expect(lab.seen(index)).toBe(1)
    }
  })

  test(`${many} snapshots that name no device: one daemon, which says to each what there is to choose from`, async () => {
    const lab = await labOf({ count: many })
    const serials = lab.fleet.devices.map(({ serial }) => serial)
    const all = await Promise.all(serials.map(() => lab.svc(['snapshot'])))
    expect(all.map(codeOf)).toEqual(all.map(() => UNNAMED_DEVICE))
    expect(lab.daemons()).toEqual([lab.metadata()?.pid])

    // That same daemon serves all of them at once, when each request names its own.
    const { socket: socketPath } = lab.paths()
    const answers = await Promise.all(
      serials.map(deviceId => call('http://localhost/snapshot', { socketPath, method: 'POST', body: { deviceId } })),
    )
    expect(answers.map(({ status, json }) => [status, (json as { deviceId?: string }).deviceId])).toEqual(
      serials.map(serial => [200, serial]),
    )
    expect(serials.map((_, index) => lab.seen(index))).toEqual(serials.map(() => 1))
  })
}
