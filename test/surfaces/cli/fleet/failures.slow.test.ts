/** What a command says when hosts or servers of its fleet are gone: never "no" for what may have happened. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCliHere } from '../../../support/cli/cli-here.ts'
import { type Lab, payloadOf, startLab } from '../../../support/executions/lab.ts'
import { type FleetLab, type FleetLabOptions, fleetLab } from '../../../support/fleet/fleet-lab.ts'
import { needs } from '../../../support/needs.ts'
import { perTest } from '../../../support/per-test.ts'
import { until } from '../../../support/until.ts'
import { createClient, type Executions, type Failed, type Ran } from './client.ts'

const NOWHERE = 'nats://127.0.0.1:1'
const WAIT = ['wait', '--text', 'No such row', '--timeout', '60000']

describe('without a server', () => {
  let lab: Lab
  beforeAll(async () => {
    lab = await startLab()
  })
  afterAll(() => lab.close())
  const svc = (args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    const serials = lab.fleet.devices.map(({ serial }) => serial).join()
    return runCliHere(args, {
      env: { HOME: lab.home, SVC_TCP_DEVICES: serials, SVC_FLEET: NOWHERE, ...env },
      cwd: lab.home,
    })
  }
  const serial = () => lab.fleet.devices[0]?.serial ?? ''

  test('a device of this machine that is named is used all the same, and that is said', async () => {
    const { code, json, stderr } = await svc(['back', '--device', serial()])
    expect(code).toBe(0)
    expect(json<Ran>()).toMatchObject({ deviceId: serial() })
    expect(json()).not.toHaveProperty('host')
    expect(stderr).toContain('The fleet cannot be reached')
    const listed = await svc(['executions', 'list', '--device', serial()])
    expect(listed.json<Executions>().count).toBe(1)
    const [found] = listed.json<Executions>().executions
    const shown = await svc(['executions', 'show', found?.executionId ?? ''])
    expect(shown.json()).toMatchObject({ execution: { state: 'settled' } })
  })

  test.each<[string[]]>([
    [['back']],
    [['back', '--device', 'any']],
    [['back', '--device', 'elsewhere']],
    [['devices']],
    [['executions', 'list']],
    [['executions', 'show', 'x']],
    [['executions', 'cancel', 'x']],
    [['executions', 'resume', 'x']],
    [['skills', 'run', 'com.example.any', '--device', 'S@lab1']],
    [['fleet', 'status']],
    [['fleet', 'forget', 'lab1']],
  ])('FLEET_UNREACHABLE: svc %j', async args => {
    const { code, json } = await svc(args)
    expect(code).toBe(1)
    expect(json<Failed>()).toMatchObject({
      code: 'FLEET_UNREACHABLE',
      message: expect.stringContaining('no NATS server answers'),
      details: { dispatched: false },
    })
  })

  test.each<[string[]]>([
    [['back', '--device', 'any:tag=lab']],
    [['snapshot', '--device', 'S@lab1']],
    [['exec', JSON.stringify(payloadOf([{ id: 'k', type: 'press_key', params: { key: 'back' } }])), '--device', 'any']],
  ])('without SVC_FLEET, a device of a fleet is not found, and the hint says how to join one: svc %j', async args => {
    const { code, json } = await svc(args, { SVC_FLEET: '' })
    expect(code).toBe(1)
    expect(json<Failed>().code).toBe('DEVICE_NOT_FOUND')
    expect(json<Failed>().hint).toContain('SVC_FLEET')
  })

  test('a policy of the command, which nobody there would read, is refused', async () => {
    for (const args of [
      ['back', '--device', 'any'],
      ['skills', 'run', 'com.example.any', '--device', 'S@lab1'],
    ]) {
      expect((await svc(['--policy', 'rules.json', ...args])).json<Failed>().code).toBe('USAGE')
    }
  })

  test('what cannot be a fleet is a usage error', async () => {
    for (const env of [{ SVC_FLEET_NAME: 'A fleet' }, { SVC_FLEET_CREDS: '/nowhere' }, { SVC_FLEET: 'http://a' }]) {
      expect((await svc(['back', '--device', serial()], env)).json<Failed>().code).toBe('USAGE')
    }
  })
})

describe.skipIf(!needs('nats-server')).concurrent('with servers', () => {
  const fleet = fleetLab()
  const clientOf = perTest((lab: FleetLab, as?: string) => {
    const desk = createClient(lab, as)
    return { desk, close: async () => desk.remove() }
  })
  const open = async (options?: FleetLabOptions, as?: string) => {
    const lab = await fleet(options)
    return { lab, desk: clientOf(lab, as).desk }
  }

  test('an answer that is lost names the execution, whose receipt any host has, also once its host is back', async () => {
    const { lab, desk } = await open({ hosts: ['lab1', 'lab2', 'lab3'] })
    const device = `${lab.host('lab2').serial(1)}@lab2`
    const waiting = desk.start([...WAIT, '--device', device, '--verbose'])
    await until(() => waiting.stderr().includes('was dispatched'), 'the wait to be dispatched')
    await lab.host('lab2').kill()
    const { code, json } = await waiting.ended
    expect(code).toBe(1)
    expect(json<Failed>()).toMatchObject({ code: 'FLEET_HOST_GONE', details: { host: 'lab2', dispatched: true } })
    const id = String(json<Failed>().details?.executionId)
    expect(json<Failed>().hint).toContain(`svc executions show ${id}`)
    const mirrored = await desk.svc(['executions', 'show', id])
    expect(mirrored.json()).toMatchObject({
      execution: { executionId: id, host: 'lab2', state: expect.stringMatching(/^(accepted|dispatched)$/) },
    })
    // Nothing more is sent to a host that is gone, and that is certain.
    const refused = await desk.svc(['back', '--device', device])
    expect(refused.json<Failed>()).toMatchObject({ details: { dispatched: false } })

    await lab.host('lab2').start()
    const state = async () =>
      (await desk.svc(['executions', 'show', id])).json<{ execution: { state: string } }>().execution.state
    await until(async () => (await state()) === 'interrupted', 'the receipt to say how it ended')
  })

  test('a host that is gone is passed over, and what its phone has done is not denied', async () => {
    const { lab, desk } = await open()
    const done = (await desk.svc(['back', '--device', `${lab.host('lab1').serial(0)}@lab1`])).json<Ran>()
    expect(done.host).toBe('lab1')
    const [first] = (await desk.svc(['executions', 'list', '--limit', '1'])).json<Executions>().executions
    await lab.host('lab1').kill()

    // While a host is silent, an id that is as young as the claim of lab2 on its phone is in doubt; a later one is not.
    const next = async () => (await desk.svc(['back', '--device', lab.host('lab2').serial(1)])).json<Ran>().host
    await until(async () => (await next()) === 'lab2', 'lab2 to take a command')
    const shown = await desk.svc(['executions', 'show', first?.executionId ?? ''])
    expect(shown.json()).toMatchObject({ execution: { executionId: first?.executionId, host: 'lab1' } })
    const heardOf = async () => (await desk.svc(['executions', 'list'])).stderr
    await until(async () => (await heardOf()).includes('lab1'), 'it to be said that a host is silent')
    const unknown = await desk.svc(['executions', 'show', '01890000-0000-7000-8000-000000000000'])
    expect(unknown.json<Failed>()).toMatchObject({ code: 'EXECUTION_NOT_FOUND', details: { gone: ['lab1'] } })

    await lab.host('lab2').kill()
    expect((await desk.svc(['devices'])).json<Failed>().code).toBe('FLEET_UNREACHABLE')
    // The servers have it still.
    const kept = await desk.svc(['executions', 'show', first?.executionId ?? ''])
    expect(kept.json()).toMatchObject({ execution: { executionId: first?.executionId, host: 'lab1' } })
  })

  test('a frozen host that may have taken the request leaves it unknown, and is named', async () => {
    const { lab, desk } = await open()
    lab.host('lab2').freeze()
    const { json } = await desk.svc(['back', '--device', `${lab.host('lab2').serial(1)}@lab2`])
    expect(json<Failed>()).toMatchObject({ code: 'FLEET_HOST_GONE', details: { host: 'lab2', dispatched: 'unknown' } })
    expect(json<Failed>().details?.executionId).toEqual(expect.any(String))
  })

  test('a host that dies while it passes a request on takes nothing with it but the answer', async () => {
    // What is said on the machine of lab1 goes to lab1, which has lab2 do it.
    const { lab, desk } = await open({}, 'lab1')
    const waiting = desk.start([...WAIT, '--device', lab.host('lab2').serial(1)])
    await until(() => lab.fleet.devices[1]?.phone.executions().length === 1, 'the phone to be asked')
    await lab.host('lab1').kill()
    const { code, json } = await waiting.ended
    expect(code).toBe(1)
    expect(json<Failed>()).toMatchObject({ code: 'FLEET_HOST_GONE', details: { host: 'lab1', dispatched: true } })
    const id = String(json<Failed>().details?.executionId)
    expect((await desk.svc(['executions', 'show', id])).json()).toMatchObject({
      execution: { executionId: id, host: 'lab2', state: 'dispatched' },
    })
    expect((await desk.svc(['executions', 'cancel', id])).json()).toMatchObject({ execution: { state: 'settled' } })
  })
})
