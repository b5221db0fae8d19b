/** `svc fleet`, skills of other hosts, and commands under the permissions that `svc fleet permissions` prints. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nkeys } from '@nats-io/transport-node'
import { describe, expect, test } from 'vitest'
import type { FleetStatus } from '../../../../src/contracts/fleet.ts'
import { runCliHere } from '../../../support/cli/cli-here.ts'
import { startServe } from '../../../support/cli/serve.ts'
import { startLab } from '../../../support/executions/lab.ts'
import { fleetLab } from '../../../support/fleet/fleet-lab.ts'
import { natsLab } from '../../../support/fleet/nats-lab.ts'
import { needs } from '../../../support/needs.ts'
import { testEnd } from '../../../support/per-test.ts'
import { temporary } from '../../../support/temporary.ts'
import { until } from '../../../support/until.ts'
import { createClient, type Executions, type Failed, type Ran } from './client.ts'

const folder = temporary('svc-fleet-permissions-')
const REGISTRY = fileURLToPath(new URL('../../../fixtures/skills/skills-registry.json', import.meta.url))

const member = (id: string) => {
  const user = nkeys.createUser()
  const seed = join(folder(), `${id}.nk`)
  writeFileSync(seed, user.getSeed(), { mode: 0o600 })
  return { id, seed, written: `${id}=${user.getPublicKey()}` }
}

describe('svc fleet permissions', () => {
  test.each([
    ['no member', []],
    ['a member without its key', ['lab1']],
    ['a seed', ['lab1=SUAB']],
    ['one id twice', [member('a').written, member('a').written]],
    ['an id that is no token of a subject', [member('a').written.replace('a=', 'a.*=')]],
  ])('refuses %s', async (_, members) => {
    const { code, json } = await runCliHere(['fleet', 'permissions', ...members])
    expect(code).toBe(1)
    expect(json<Failed>().code).toBe('USAGE')
  })
})

test('svc fleet status needs a fleet', async () => {
  const { code, json } = await runCliHere(['fleet', 'status'])
  expect(code).toBe(1)
  expect(json<Failed>().hint).toContain('SVC_FLEET')
})

describe.skipIf(!needs('nats-server')).concurrent('with servers', () => {
  const fleet = fleetLab()
  const servers = natsLab()
  const atEnd = testEnd()

  test('hosts are shown, drained and forgotten, in the end with none that answers', async () => {
    const lab = await fleet({ hosts: ['lab1', 'lab2'] })
    const desk = createClient(lab)
    atEnd(() => desk.remove())
    // The flags say the same as the environment.
    const status = async () => {
      const flags = ['--fleet', lab.nats.urls.join(), '--fleet-name', 'svc', '--fleet-host', 'desk']
      return (await desk.svc(['fleet', 'status', ...flags], { SVC_FLEET: undefined })).json<FleetStatus>()
    }
    const stateOf = async (id: string) => (await status()).hosts.find(({ host }) => host === id)?.state
    expect(await status()).toMatchObject({ fleet: 'svc', host: 'lab1', connected: true })
    expect(await stateOf('lab2')).toBe('serving')
    expect((await desk.svc(['fleet', 'drain', 'nobody'])).json<Failed>().code).toBe('NOT_FOUND')
    expect((await desk.svc(['fleet', 'forget', 'lab2'])).json<Failed>().code).toBe('FLEET_HOST_TAKEN')

    const drained = await desk.svc(['fleet', 'drain', 'lab2'])
    expect(drained.code).toBe(0)
    expect(drained.json()).toMatchObject({ host: 'lab2' })
    expect((await desk.svc(['back', '--device', `${lab.host('lab2').serial(1)}@lab2`])).json<Failed>()).toMatchObject({
      details: { dispatched: false },
    })
    await lab.host('lab2').kill()
    await until(async () => (await stateOf('lab2')) === 'gone', 'the host to be gone')
    expect((await desk.svc(['fleet', 'forget', 'lab2'])).json()).toEqual({ host: 'lab2', state: 'forgotten' })
    expect(await stateOf('lab2')).toBeUndefined()

    await lab.host('lab1').kill()
    const alone = await desk.svc(['fleet', 'status'])
    expect(alone.json<FleetStatus>()).toMatchObject({
      connected: true,
      hosts: [{ host: 'lab1', state: 'gone', lastContactMs: expect.any(Number) }],
    })
    expect(alone.stderr).toContain('No host')
    expect((await desk.svc(['fleet', 'drain', 'lab1'])).json<Failed>().code).toBe('FLEET_HOST_GONE')
    expect((await desk.svc(['fleet', 'forget', 'lab1'])).json()).toEqual({ host: 'lab1', state: 'forgotten' })
    expect((await desk.svc(['fleet', 'status'])).json<FleetStatus>().hosts).toEqual([])
  })

  test('a skill runs where its phone is, and prints what it prints there', async () => {
    const lab = await fleet({ env: { SVC_SKILLS_REGISTRY: REGISTRY } })
    const desk = createClient(lab)
    atEnd(() => desk.remove())
    const device = `${lab.host('lab2').serial(1)}@lab2`
    const run = ['skills', 'run', 'com.android.settings.search-replay', '--device']
    const { code, json } = await desk.svc([...run, device, '--query', 'battery'])
    expect(code).toBe(0)
    expect(json()).toMatchObject({ status: 'success', skillResult: { status: 'success' } })
    const { executions } = (await desk.svc(['executions', 'list'])).json<Executions>()
    expect(new Set(executions.map(({ host }) => host))).toEqual(new Set(['lab2']))

    const unknown = await desk.svc(['skills', 'run', 'com.example.none', '--device', device])
    expect(unknown.code).toBe(1)
    expect(unknown.json<Failed>()).toMatchObject({ status: 'failed', code: 'SKILL_NOT_FOUND' })
    const local = await desk.svc(['--registry', REGISTRY, ...run, device])
    expect(local.json<Failed>().code).toBe('USAGE')
  })

  test('a host and a client can do their part under the permissions that are printed', async () => {
    const [host, client] = [member('lab1'), member('desk')]
    const printed = await runCliHere(['fleet', 'permissions', host.written, '--client', client.written])
    expect(printed.code).toBe(0)
    const nats = await servers({ auth: printed.stdout })
    const phone = await startLab()
    atEnd(() => phone.close())
    const home = join(folder(), 'home')
    mkdirSync(join(home, '.svc'), { recursive: true })
    const env = { SVC_FLEET: nats.urls.join() }
    const serving = await startServe({
      env: {
        ...env,
        HOME: home,
        SVC_TCP_DEVICES: phone.fleet.devices[0]?.serial,
        SVC_FLEET_HOST: 'lab1',
        SVC_FLEET_CREDS: host.seed,
      },
      cwd: home,
      args: ['--fleet-unsafe'],
    })
    atEnd(() => serving.end())
    const desk = createClient({ nats } as Parameters<typeof createClient>[0])
    atEnd(() => desk.remove())
    const as = (id: string, seed: string) => (args: readonly string[]) =>
      desk.svc(args, { SVC_FLEET_HOST: id, SVC_FLEET_CREDS: seed })
    for (const svc of [as('desk', client.seed), as('lab1', host.seed)]) {
      await until(async () => (await svc(['devices'])).code === 0, 'the host to answer')
      const shot = await svc(['screenshot', 'shot.png', '--device', 'any'])
      expect(shot.json<Ran>().host).toBe('lab1')
      expect(readFileSync(join(desk.home, 'shot.png')).length).toBeGreaterThan(1_000)
      const [found] = (await svc(['executions', 'list'])).json<Executions>().executions
      expect((await svc(['executions', 'show', found?.executionId ?? ''])).code).toBe(0)
    }
    // Nobody speaks with the key of another, or without one.
    for (const svc of [as('lab1', client.seed), as('desk', ''), as('other', client.seed)]) {
      expect((await svc(['back', '--device', 'any'])).json<Failed>()).toMatchObject({
        code: 'FLEET_UNREACHABLE',
        details: { dispatched: false },
      })
    }
    const { message } = (await as('desk', '')(['devices'])).json<Failed>()
    expect(message).toContain('do not let this command in')
    await serving.end()
    expect((await as('desk', client.seed)(['fleet', 'forget', 'lab1'])).code).toBe(1)
  })
})
