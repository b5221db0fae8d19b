/** A daemon that was started for a device that does not exist does not outlive the answer that says so. */
import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isAlive } from '../../../src/runtime/processes/processes.ts'
import { svcLab } from '../../support/cli/svc-lab.ts'
import { command, daemonLab } from '../../support/daemon/daemon-lab.ts'
import { until, wait } from '../../support/until.ts'

const lab = daemonLab()
const labOf = svcLab()

/** Longer than a daemon waits for a command that is on its way. */
const A_WHILE_MS = 1_000

const hasEnded = () => {
  const [daemon] = lab().daemons()
  return daemon !== undefined && !isAlive(daemon)
}

describe.concurrent('a daemon that accepted no execution so far', () => {
  const refused = command('exec', 'c1', { isRefused: true })

  test('ends in order when its device is not listed', async () => {
    const { call, paths } = lab()
    expect(await call(refused, { TEST_KNOWN: '0' })).toMatchObject({ kind: 'answered', status: 404 })
    await until(hasEnded, 'its end')
    expect(readdirSync(paths().directory)).toEqual(['daemon-default.log'])
  })

  test.each([
    ['it is', { TEST_KNOWN: '1' }],
    ['it was started for no device', {}],
  ])('stays when %s', async (_name, env) => {
    const { call, alive } = lab()
    expect(await call(refused, env)).toMatchObject({ kind: 'answered', status: 404 })
    await wait(A_WHILE_MS)
    expect(alive()).toHaveLength(1)
  })
})

test.concurrent('a daemon that had its device stays when that has gone', async () => {
  const { call, alive } = lab()
  await call(command('exec', 'c1'), { TEST_KNOWN: '0' })
  await call(command('exec', 'c2', { isRefused: true }), { TEST_KNOWN: '0' })
  await wait(A_WHILE_MS)
  expect(alive()).toHaveLength(1)
})

describe.concurrent('svc with a mistyped --device', () => {
  test.each([
    ['a command', ['click', '--text', 'Wi-Fi'], 'DEVICE_NOT_FOUND'],
    [
      'a payload that is refused before any device is looked at',
      ['exec', '{"commandId": 1}'],
      'EXECUTION_VALIDATION_FAILED',
    ],
  ])('%s is answered, and leaves no daemon behind', async (_name, args, code) => {
    const svc = await labOf()
    const ended = await svc.svc([...args, '--device', 'nosuch'])
    expect(ended).toMatchObject({ code: 1, stderr: '' })
    expect(ended.json()).toMatchObject({ code })
    if (code === 'DEVICE_NOT_FOUND') {
      const connected = svc.fleet.devices.map(({ serial }) => serial)
      expect(ended.json()).toMatchObject({ details: { connected } })
    }
    expect(svc.daemons('nosuch')).toHaveLength(1)
    const { directory, log } = svc.paths('nosuch')
    await until(() => readdirSync(directory).length === 1, 'the files of the daemon to be gone')
    expect(readdirSync(directory)).toEqual([log.slice(directory.length + 1)])
  })

  test('a command before any device is there leaves no daemon, whose environment would keep later ones away', async () => {
    const svc = await labOf()
    const env = { SVC_TCP_DEVICES: '' }
    expect((await svc.svc(['snapshot'], { env })).code).toBe(1)
    const { directory, log } = svc.paths()
    await until(() => readdirSync(directory).length === 1, 'the files of the daemon to be gone')
    expect(readdirSync(directory)).toEqual([log.slice(directory.length + 1)])
    const [serial] = svc.fleet.devices.map(device => device.serial)
    expect(await svc.svc(['press', 'home', '--device', `${serial}`])).toMatchObject({ code: 0, stderr: '' })
  })

  test('a device that is listed and cannot be reached keeps its daemon', async () => {
    const svc = await labOf()
    const dead = '127.0.0.1:1'
    const env = { SVC_TCP_DEVICES: dead }
    expect((await svc.svc(['snapshot', '--device', dead], { env })).json()).toMatchObject({ code: 'DEVICE_OFFLINE' })
    await wait(A_WHILE_MS)
    expect(readdirSync(svc.paths().directory)).toContain(svc.paths(dead).socket.split('/').at(-1))
  })
})
