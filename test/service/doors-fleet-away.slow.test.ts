/** In a fleet whose host drains or reaches no server, each door says the same; progress and the end of a call reach the other host. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startCliHere } from '../support/cli/cli-here.ts'
import { needs } from '../support/needs.ts'
import { until } from '../support/until.ts'
import type { Ran } from '../surfaces/cli/fleet/client.ts'
import {
  type Answer,
  type Asked,
  execute,
  executionOf,
  MISSING,
  nap,
  type Outcome,
  overHttp,
  rawOf,
  resume,
  runSkill,
  same,
  throughAll,
  UNSENT,
} from './doors.ts'
import { fleetOfTests } from './doors-fleet.ts'
import { SKILL } from './doors-local.ts'

interface List {
  executions: { executionId: string; state: string; result?: unknown }[]
}

describe.skipIf(!needs('nats-server'))('in a fleet', () => {
  const here = fleetOfTests()

  const newest = async () => (await here().lab.host('lab2').get<List>('/executions?limit=1')).body.executions[0]
  const cancelled = { state: 'settled', result: { ok: false, error: { code: 'EXECUTION_CANCELLED' } } }

  describe.each(['mcp', 'stdio'] as const)('a call over %s', door => {
    test('shows how far another host is', async () => {
      const heard: string[] = []
      await until(() => !here().isBusy(1), 'the phone to be free')
      const args = { device: here().there, execution: executionOf([nap(500)]) }
      const { isError } = await here()[door].call('execute', args, { onprogress: said => heard.push(said) })
      expect(isError).toBe(false)
      expect(new Set(heard)).toEqual(
        new Set(['asked', 'accepted', 'dispatched'].map(state => `execution.${state}: host lab2`)),
      )
    })

    test('that is cancelled is cancelled there', async () => {
      await until(() => !here().isBusy(1), 'the phone to be free')
      const leaving = new AbortController()
      const execution = executionOf([nap(1_500)])
      const running = here()[door].call('execute', { device: here().there, execution }, { signal: leaving.signal })
      await until(() => here().isBusy(1), 'the phone to have it')
      leaving.abort()
      await expect(running).rejects.toThrow()
      await until(async () => (await newest())?.state === 'settled', 'the execution to be cancelled')
      expect(await newest()).toMatchObject(cancelled)
    })
  })

  test('a command that is interrupted cancels there, and says what was sent', async () => {
    await until(() => !here().isBusy(1), 'the phone to be free')
    const env = { HOME: here().desk.home, SVC_FLEET: here().lab.nats.urls.join(',') }
    const running = startCliHere(['sleep', '1500', '--device', here().there], { cwd: here().desk.home, env })
    await until(() => here().isBusy(1), 'the phone to have it')
    running.interrupt()
    const { code, json } = await running.ended
    const details = { executionId: expect.any(String), host: 'lab2', dispatched: true }
    expect({ code, ...json() }).toMatchObject({ code: 'EXECUTION_CANCELLED', details })
    expect(code).toBe(130)
    await until(() => !here().isBusy(1), 'the phone to be free')
    expect(await newest()).toMatchObject(cancelled)
  })

  test('a picture is written on the machine of the command, also by a step that is resumed', async () => {
    const steps = [MISSING, { id: 'shot', type: 'take_screenshot', params: { path: 'shot.png' } }]
    const file = (raw: Answer['raw']) => (raw as unknown as Ran).envelope.stepResults.at(-1)?.data.path ?? ''
    const taken = await here().doors.CLI(execute(executionOf(steps.slice(1)), here().there))
    expect(file(taken?.raw ?? {})).toBe(join(here().desk.home, 'shot.png'))
    rmSync(join(here().desk.home, 'shot.png'))
    await here().doors.CLI(execute(executionOf(steps), here().there))
    const { executionId = '' } = (await newest()) ?? {}
    const resumed = await here().desk.svc(['executions', 'resume', executionId, '--from-step', 'shot'])
    expect(file(resumed.json())).toBe(join(here().desk.home, 'shot.png'))
    expect(readFileSync(join(here().desk.home, 'shot.png')).subarray(1, 4).toString()).toBe('PNG')
  })

  test('a host writes it where its caller named the path, by a step that is resumed', async () => {
    const path = join(here().desk.home, 'by-a-host.png')
    const host = here().lab.host('lab1')
    const steps = [MISSING, { id: 'shot', type: 'take_screenshot', params: { path } }]
    await host.post('/execute', { execution: executionOf(steps), deviceId: here().there })
    const { executionId = '' } = (await newest()) ?? {}
    const resumed = await host.post<Ran>(`/executions/${executionId}/resume`, { fromStep: 'shot' })
    expect(resumed.body.envelope.stepResults.at(-1)?.data.path).toBe(path)
    expect(readFileSync(path).subarray(1, 4).toString()).toBe('PNG')
  })

  describe('while no server answers', () => {
    const cut = () => ({ HTTP: here().doors.HTTP, MCP: here().doors.MCP, CLI: here().cutOff })
    const connected = async (is: boolean) =>
      until(async () => (await here().lab.host('lab1').get('/fleet')).body.connected === is, `connected: ${is}`)
    beforeAll(async () => {
      here().lab.host('lab1').cut('loud')
      await connected(false)
    })
    afterAll(async () => {
      here().lab.host('lab1').heal()
      await connected(true)
    })

    test.each<[string, (there: string) => Asked, Record<string, unknown>]>([
      ['any phone', () => execute(executionOf([nap(1)]), 'any'), {}],
      ['a phone of another host', there => execute(executionOf([nap(1)]), there), { host: 'lab2' }],
      ['a skill on such a phone', there => runSkill(SKILL, there), { host: 'lab2' }],
    ])('%s is out of reach', async (_name, ask, details) => {
      await same(cut(), () => ask(here().there), { code: 'FLEET_UNREACHABLE', details, ...UNSENT })
    })

    test('a command uses a phone that is connected to its machine, and says so', async () => {
      const [serial = ''] = here().there.split('@')
      const env = { SVC_FLEET: 'nats://127.0.0.1:1', SVC_TCP_DEVICES: serial }
      const { code, stderr } = await here().desk.svc(['press', 'home', '--device', serial], env)
      expect(code).toBe(0)
      expect(stderr).toContain('is connected to this machine and is used without it')
    })

    test('a host lists its own devices as ever, and names the others', async () => {
      const { HTTP, MCP } = here().doors
      const answers = await throughAll({ HTTP, MCP }, () => ({
        http: { method: 'GET', path: '/devices' },
        mcp: ['devices', {}],
      }))
      for (const door of ['HTTP', 'MCP']) {
        expect(rawOf(answers, door)).toMatchObject({
          devices: [{ deviceId: here().here, host: 'lab1', state: 'device' }],
          unanswered: [{ host: 'lab2', code: 'FLEET_UNREACHABLE' }],
        })
      }
    })
  })

  test('a host that drains takes nothing new, through no door', async () => {
    const refused: Outcome = { code: 'FLEET_HOST_GONE', details: { host: 'lab2' }, ...UNSENT }
    await here().doors.HTTP(execute(executionOf([MISSING]), here().there))
    const { executionId = '' } = (await newest()) ?? {}
    await here().lab.host('lab1').post('/fleet/hosts/lab2/drain', {})
    const draining = { deviceId: here().there, draining: true }
    type Hosts = { hosts: { host: string; state: string }[] }
    const shown = { host: 'lab2', state: expect.stringContaining('drain') }
    for (const host of ['lab2', 'lab1']) {
      const { devices } = (await here().lab.host(host).get<{ devices: object[] }>('/devices')).body
      expect(devices, host).toContainEqual(expect.objectContaining(draining))
      const { hosts } = (await here().lab.host(host).get<Hosts>('/fleet')).body
      expect(hosts, host).toContainEqual(expect.objectContaining(shown))
    }
    const seen = async () => (await here().lab.host('lab1').get<Hosts>('/fleet')).body.hosts
    await until(async () => (await seen()).some(({ state }) => state.startsWith('drain')), 'the other host to know')
    const asked: readonly (() => Asked)[] = [
      () => execute(executionOf([nap(1)]), here().there),
      () => runSkill(SKILL, here().there),
      () => resume(executionId),
    ]
    for (const ask of asked) await same(here().doors, ask, refused)
    // Its own callers are told the same, and may still look at the phone.
    const ownDoor = overHttp(here().lab.host('lab2').url, { fleet: here().lab.fleet, names: {} })
    for (const ask of [execute(executionOf([nap(1)]), here().there), resume(executionId)])
      expect(await ownDoor(ask)).toMatchObject({ code: 'FLEET_HOST_GONE', sent: 0 })
    const looked = await here()
      .lab.host('lab1')
      .get<{ ok: boolean }>(`/devices/${encodeURIComponent(here().there)}`)
    expect(looked.body).toMatchObject({ ok: true, device: { host: 'lab2' } })
    // Its phones are none that fit.
    const connected = ['FIRST@lab1', 'SECOND@lab2']
    const listed = await throughAll(here().doors, () => ({
      http: { method: 'GET', path: '/devices' },
      cli: ['devices'],
      mcp: ['devices', {}],
    }))
    for (const { raw } of Object.values(listed)) {
      const [here, there] = raw.devices as object[]
      expect(here).not.toHaveProperty('draining')
      expect(there).toMatchObject(draining)
    }
    const none = { code: 'NO_DEVICES', details: { connected }, ...UNSENT }
    await same(here().doors, () => execute(executionOf([nap(1)]), 'any:host=lab2'), none)
  })
})
