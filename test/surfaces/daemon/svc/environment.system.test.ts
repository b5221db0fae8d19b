/** What a daemon inherits of the command that happens to start it. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { svcLab } from '../../../support/cli/svc-lab.ts'

const labOf = svcLab()

test('neither the token of a server nor the skill run of its caller', async () => {
  const lab = await labOf()
  const marks = {
    SVC_SERVE_TOKEN: 'a-token-of-the-server',
    SVC_SKILL_RUN_ID: 'run-1',
    SVC_SKILLS_REGISTRY: '/none.json',
  }
  expect((await lab.svc(['snapshot'], { env: marks })).code).toBe(0)
  const [pid] = lab.daemons()
  const names = readFileSync(`/proc/${pid}/environ`, 'utf8')
    .split('\0')
    .map(entry => entry.split('=')[0])
  expect(names).toEqual(expect.arrayContaining(['SVC_HOME', 'SVC_SKILLS_REGISTRY']))
  expect(names.filter(name => name === 'SVC_SERVE_TOKEN' || name?.startsWith('SVC_SKILL_'))).toEqual([])
})

test('a daemon of other devices is passed by, which is told once for each environment', async () => {
  const lab = await labOf({ count: 2 })
  const [one = '', other = ''] = lab.fleet.devices.map(({ serial }) => serial)
  const only = (serial: string) => ({ env: { SVC_TCP_DEVICES: serial } })
  const pressed = async (serial: string) => {
    const { code, stderr } = await lab.svc(['press', 'home'], only(serial))
    expect({ code, stderr }).toMatchObject({ code: 0 })
    return stderr
  }
  expect(await pressed(one)).toBe('')
  expect(await pressed(other)).toContain('with other values of SVC_TCP_DEVICES; to give it yours: svc daemon restart')
  expect(await pressed(other)).toBe('')
  expect(await pressed(one), 'its daemon lives on').toBe('')
  expect(lab.daemons()).toHaveLength(1)
})

test('stop names the daemons that live on, and stop --all ends each', async () => {
  const lab = await labOf({ count: 1 })
  const [serial = ''] = lab.fleet.devices.map(device => device.serial)
  for (const device of [[], ['--device', serial], ['--device', 'absent']]) {
    expect(await lab.svc(['daemon', 'start', ...device])).toMatchObject({ code: 0 })
  }
  const stopped = await lab.svc(['daemon', 'stop', '--device', 'absent'])
  expect(stopped).toMatchObject({ code: 0 })
  expect(stopped.stderr).toContain('Other daemons are running: ')
  for (const device of [undefined, serial]) {
    expect(stopped.stderr).toContain(`${device ?? 'the default one'} (process ${lab.metadata(device)?.pid})`)
  }
  const all = await lab.svc(['daemon', 'stop', '--all'])
  expect(all.json()).toMatchObject({ ok: true, daemons: [{ status: 'stopped' }, { status: 'stopped' }] })
  expect([lab.metadata(), lab.metadata(serial)]).toEqual([undefined, undefined])
  expect((await lab.svc(['daemon', 'stop', '--all'])).json()).toEqual({ ok: true, daemons: [] })
  expect(await lab.svc(['daemon', 'stop', '--all', '--device', serial])).toMatchObject({ code: 1 })
})
