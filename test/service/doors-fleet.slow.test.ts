/** In a fleet, HTTP and MCP of a host, commands, and `svc mcp` answer the same request about another host's phone alike. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { systemIds } from '../../src/runtime/ids.ts'
import { call } from '../support/http/http-client.ts'
import { needs } from '../support/needs.ts'
import { until } from '../support/until.ts'
import {
  type Asked,
  cancel,
  DONE,
  each,
  execute,
  executionOf,
  LOOKED,
  lookUp,
  MISSED,
  MISSING,
  NO_ID,
  nap,
  type Outcome,
  outcomes,
  rawOf,
  resume,
  runSkill,
  same,
  throughAll,
  UNSENT,
} from './doors.ts'
import { fleetOfTests } from './doors-fleet.ts'
import { REGISTRY, SKILL } from './doors-local.ts'

const UNKNOWN = { code: 'EXECUTION_NOT_FOUND', details: { executionId: 'ID' }, ...UNSENT }
const QUERY = ['--query', 'battery']
const DEVICES: Asked = { http: { method: 'GET', path: '/devices' }, cli: ['devices'], mcp: ['devices', {}] }
const RECEIPTS: Asked = {
  http: { method: 'GET', path: '/executions?limit=3' },
  cli: ['executions', 'list', '--limit', '3'],
  mcp: ['receipts', { limit: 3 }],
}

interface List {
  executions: { executionId: string; host: string }[]
}

describe.skipIf(!needs('nats-server'))('in a fleet', () => {
  const here = fleetOfTests()

  const CONNECTED = { connected: ['FIRST@lab1', 'SECOND@lab2'] }
  const click = { id: 'tap', type: 'click', params: {} }
  const shot = { id: 'shot', type: 'take_screenshot', params: { path: '/nowhere/a.png' } }
  const fails = () => resultOf(execute(executionOf([MISSING]), here().there))

  const alike = (ask: () => Asked | Promise<Asked>, outcome: Outcome) => same(here().doors, ask, outcome)

  /** The receipt of a new execution on the other host's phone. */
  const resultOf = async ({ http }: Asked): Promise<string> => {
    const { headers } = await here()
      .lab.host('lab1')
      .post(http?.path ?? '', http?.body)
    return headers.get('svc-execution-id') ?? ''
  }

  /** Runs on the phone until the work is done. */
  const during = async (device: string, phone: number, work: () => Promise<unknown>) => {
    const running = here().doors.HTTP(execute(executionOf([nap(5_000)], { commandId: 'long' }), device))
    await until(() => here().isBusy(phone), 'the phone to be busy')
    await work()
    await running
  }

  test.each<[string, () => Asked, Outcome]>([
    ['executions on a phone of another host', () => execute(executionOf([nap(1)]), here().there), DONE],
    ['executions on any phone that fits', () => execute(executionOf([nap(1)]), 'any:host=lab2'), DONE],
    [
      'executions that are invalid',
      () => execute(executionOf([click]), here().there),
      {
        code: 'EXECUTION_VALIDATION_FAILED',
        details: expect.objectContaining({ path: 'actions.0.params', actionId: 'tap' }),
        ...UNSENT,
      },
    ],
    [
      'executions for an unknown device',
      () => execute(executionOf([nap(1)]), 'none@lab2'),
      { code: 'DEVICE_NOT_FOUND', details: CONNECTED, ...UNSENT },
    ],
    [
      'executions for none of several devices',
      () => execute(executionOf([nap(1)])),
      { code: 'MULTIPLE_DEVICES_DEVICE_ID_REQUIRED', details: { ...CONNECTED, devices: expect.any(Array) }, ...UNSENT },
    ],
    [
      'executions with a picture that cannot be written',
      () => execute(executionOf([shot]), here().there),
      {
        code: 'EXECUTION_VALIDATION_FAILED',
        details: { actionId: 'shot', actionType: 'take_screenshot', path: 'actions.0.params.path' },
        ...UNSENT,
      },
    ],
    ['receipts that nobody has', () => lookUp(NO_ID), UNKNOWN],
    ['cancelling what nobody has', () => cancel(NO_ID), UNKNOWN],
    ['resuming what nobody has', () => resume(NO_ID), UNKNOWN],
    [
      'skills that are unknown there',
      () => runSkill('com.example.none', here().there),
      {
        code: 'SKILL_NOT_FOUND',
        details: { host: 'lab2', skillId: 'com.example.none', registryPath: REGISTRY },
        ...UNSENT,
      },
    ],
    [
      'skills for an unknown device',
      () => runSkill(SKILL, 'none@lab2'),
      { code: 'DEVICE_NOT_FOUND', details: CONNECTED, ...UNSENT },
    ],
    [
      'skills that fail there',
      () => runSkill(SKILL, here().there),
      {
        code: 'SKILL_EXECUTION_FAILED',
        details: { host: 'lab2' },
        dispatched: false,
        sent: 0,
      },
    ],
    ['skills on a phone of another host', () => runSkill(SKILL, here().there, QUERY), DONE],
  ])('%s', async (_name, ask, outcome) => void (await alike(ask, outcome)))

  test('a phone that is busy is named with its host', () =>
    during(here().there, 1, () =>
      alike(() => execute(executionOf([nap(1)]), here().there), {
        code: 'EXECUTION_CONFLICT_IN_FLIGHT',
        details: {
          host: 'lab2',
          deviceId: 'SECOND',
          holder: { pid: 0, executionId: 'ID', commandId: 'long', since: 0 },
        },
        ...UNSENT,
      }),
    ))

  test('any phone: the next one where the phone of the asked host is busy', () =>
    during(here().here, 0, () => alike(() => execute(executionOf([nap(1)]), 'any'), DONE)))

  test('a skill without a device runs at the host that is asked, on its only phone', async () => {
    const { HTTP, MCP } = here().doors
    await same({ HTTP, MCP }, () => runSkill(SKILL, '', QUERY), DONE)
    const { executions } = (await here().lab.host('lab1').get<List>('/executions?limit=2')).body
    expect(executions).toMatchObject([{ host: 'lab1' }, { host: 'lab1' }])
    // The desk runs it itself, and its script reaches no phone without naming one of the fleet.
    const own = { CLI: here().doors.CLI, 'svc mcp': here().doors['svc mcp'] }
    await same(own, () => runSkill(SKILL, '', QUERY), { code: 'SKILL_EXECUTION_FAILED', details: {}, ...UNSENT })
  })

  test('devices are listed with their hosts and by ids that name them', async () => {
    const answers = await alike(() => DEVICES, LOOKED)
    const devices = rawOf(answers, 'HTTP').devices
    expect(devices).toMatchObject([
      { host: 'lab1', deviceId: here().here, state: 'device', labels: expect.any(Object) },
      { host: 'lab2', deviceId: here().there },
    ])
    for (const { raw } of Object.values(answers)) expect(raw.devices).toEqual(devices)
  })

  describe('an execution of another host', () => {
    test('is shown, listed, traced and settled', async () => {
      const id = await fails()
      const shown = await alike(() => lookUp(id), LOOKED)
      const { execution } = rawOf(shown, 'HTTP')
      expect(execution).toMatchObject({ executionId: id, host: 'lab2' })
      expect(rawOf(shown, 'CLI').execution).toEqual(execution)
      for (const door of ['MCP', 'svc mcp']) {
        expect(rawOf(shown, door).receipt).toEqual({ dispatched: true, ...(execution as object) })
      }
      const listed = await alike(() => RECEIPTS, LOOKED)
      const { executions } = rawOf(listed, 'HTTP') as unknown as List
      expect(rawOf(listed, 'CLI').executions).toEqual(executions)
      for (const door of ['MCP', 'svc mcp']) {
        const receipts = executions.map(({ executionId, host }) => ({ executionId, host }))
        expect(rawOf(listed, door).receipts).toMatchObject(receipts)
      }
      const traced = await alike(
        () => ({
          http: { method: 'GET', path: `/executions/${id}/trace` },
          cli: ['executions', 'timeline', id, '--json'],
        }),
        LOOKED,
      )
      expect(rawOf(traced, 'CLI').trace).toEqual(rawOf(traced, 'HTTP').trace)
      await alike(() => cancel(id), LOOKED)
    })

    test('is exported as the same page, under the same policy', async () => {
      const path = `/executions/${await fails()}/trace.html`
      const [own, forwarded] = await Promise.all(
        ['lab2', 'lab1'].map(host => call(`${here().lab.host(host).url()}${path}`)),
      )
      expect(forwarded?.headers['content-security-policy']).toContain("script-src 'sha256-")
      expect(forwarded?.headers['content-security-policy']).toBe(own?.headers['content-security-policy'])
      expect(forwarded?.text).toBe(own?.text)
      const to = join(here().desk.home, 'trace.html')
      expect(await here().desk.svc(['executions', 'trace', path.split('/')[2] ?? '', '--to', to])).toMatchObject({
        code: 0,
      })
      expect(readFileSync(to, 'utf8')).toBe(own?.text)
    })

    test('is resumed on its phone, also by an id with the host', async () => {
      const again = {
        code: 'NODE_NOT_FOUND',
        dispatched: true,
        ...MISSED,
      }
      await alike(async () => resume(await fails(), here().there), again)
      const elsewhere = { executionId: 'ID', host: 'lab2', deviceId: 'FIRST@lab1' }
      const refused = { code: 'RESUME_REFUSED', details: elsewhere, ...UNSENT }
      await alike(async () => resume(await fails(), here().here), refused)
      const [bareThere = '', bareHere = ''] = [here().there, here().here].map(id => id.split('@')[0])
      await alike(async () => resume(await fails(), bareThere), again)
      const bare = { ...refused, details: { ...elsewhere, deviceId: 'FIRST' } }
      await alike(async () => resume(await fails(), bareHere), bare)
      const succeeded = await resultOf(execute(executionOf([nap(1)]), here().there))
      await alike(() => resume(succeeded), { ...refused, details: { executionId: 'ID' } })
    })

    test('is cancelled while it runs', async () => {
      const answers = await throughAll(here().doors, async () => {
        await until(() => !here().isBusy(1), 'the phone to be free')
        const running = here().doors.HTTP(execute(executionOf([nap(1_000)]), here().there))
        await until(() => here().isBusy(1), 'the phone to have it')
        void running
        const { executions } = (await here().lab.host('lab2').get<List>('/executions?limit=1')).body
        return cancel(executions[0]?.executionId ?? '')
      })
      expect(outcomes(answers)).toEqual(each(answers, { ...LOOKED, sent: 0 }))
      await until(() => !here().isBusy(1), 'the phone to be free')
    })

    test('that nobody has yet runs nothing under its id at any host, once it was cancelled at one', async () => {
      const executionId = systemIds().at(Date.now())
      const cancelled = await here().doors.HTTP(cancel(executionId))
      expect(cancelled).toMatchObject({ code: 'EXECUTION_NOT_FOUND', details: { cancelled: true } })
      for (const host of ['lab1', 'lab2']) {
        const { body } = await here().lab.host(host).get<object>(`/executions/${executionId}`)
        expect(body, host).toMatchObject({ error: { details: { cancelled: true } } })
      }
    })
  })
})
