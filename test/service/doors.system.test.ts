/** On one machine, HTTP, commands in their own process, commands through the daemon and MCP answer the same request alike. */
import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { startCliHere } from '../support/cli/cli-here.ts'
import { call } from '../support/http/http-client.ts'
import { until, wait } from '../support/until.ts'
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
  plain,
  rawOf,
  resume,
  runSkill,
  same,
  throughAll,
  UNSENT,
} from './doors.ts'
import { CONNECTED, localOfTests, REGISTRY, SKILL } from './doors-local.ts'

const here = localOfTests()

const ODD = { id: 'tap', type: 'click', params: { matcher: { textEquals: 'x' }, clickType: 'odd' } }
const shot = (path: string) => ({ id: 'shot', type: 'take_screenshot', params: { path } })
const unwritable = { actionId: 'shot', actionType: 'take_screenshot', path: 'actions.0.params.path' }

describe('executions', () => {
  test.each<[string, () => Asked, Outcome]>([
    ['that succeed', () => execute(executionOf([nap(1)]), here().phone(0)), DONE],
    [
      'that are invalid',
      () => execute(executionOf([ODD]), here().phone(0)),
      {
        code: 'EXECUTION_VALIDATION_FAILED',
        details: expect.objectContaining({ path: 'actions.0.params.clickType' }),
        ...UNSENT,
      },
    ],
    [
      'for an unknown device',
      () => execute(executionOf([nap(1)]), 'none'),
      { code: 'DEVICE_NOT_FOUND', details: CONNECTED, ...UNSENT },
    ],
    [
      'for none of several devices',
      () => execute(executionOf([nap(1)])),
      {
        code: 'MULTIPLE_DEVICES_DEVICE_ID_REQUIRED',
        details: { ...CONNECTED, devices: [expect.anything(), expect.anything(), expect.anything()] },
        ...UNSENT,
      },
    ],
    [
      'with a picture that cannot be written',
      () => execute(executionOf([shot('/nowhere/a.png')]), here().phone(0)),
      { code: 'EXECUTION_VALIDATION_FAILED', details: unwritable, ...UNSENT },
    ],
  ])('%s', async (_name, ask, outcome) => void (await same(here().withDaemon, ask, outcome)))

  test('that fail on the device', async () => {
    const answers = await throughAll(here().withDaemon, () => execute(executionOf([MISSING]), here().phone(0)))
    // The tools name the receipt in the failure itself.
    for (const { details } of Object.values(answers)) delete details.executionId
    expect(outcomes(answers)).toEqual(each(answers, { code: 'NODE_NOT_FOUND', dispatched: true, ...MISSED }))
  })

  test('for a device that is busy', async () => {
    const running = here().ran(executionOf([nap(3_000)], { commandId: 'long' }))
    await until(
      () => here().lab.fleet.devices[0]?.phone.executions().at(-1)?.finishedAt === undefined,
      'the phone to be busy',
    )
    const holder = { pid: 0, executionId: 'ID', commandId: 'long', since: 0 }
    const details = { deviceId: 'PHONE-0', holder }
    await same(here().withDaemon, () => execute(executionOf([nap(1)]), here().phone(0)), {
      code: 'EXECUTION_CONFLICT_IN_FLIGHT',
      details,
      ...UNSENT,
    })
    await running
  })

  test('that were interrupted', async () => {
    const said = async (args: readonly string[], device: number, SVC_NO_DAEMON: string) => {
      const serial = here().phone(device)
      const before = here().lab.seen(device)
      const running = startCliHere([...args, '--device', serial], {
        cwd: here().lab.home,
        env: { ...here().lab.env, SVC_NO_DAEMON },
      })
      await until(() => here().lab.seen(device) > before, 'the phone to have it')
      running.interrupt()
      const { code, json } = await running.ended
      const { code: failed, details } = json<{ code: string; details: object }>()
      return { code, failed, details: plain(details, { names: {} }) }
    }
    const cancelled = { code: 130, failed: 'EXECUTION_CANCELLED', details: { executionId: 'ID', dispatched: true } }
    const both = await Promise.all([said(['sleep', '1500'], 1, '1'), said(['sleep', '1500'], 0, '0')])
    expect(both).toEqual([cancelled, cancelled])
  })
})

const CONFLICT = 423

describe('receipts', () => {
  test('that nobody has', async () => {
    const unknown = { code: 'EXECUTION_NOT_FOUND', details: { executionId: 'ID' }, ...UNSENT }
    await same(here().doors, () => lookUp(NO_ID), unknown)
    await same(here().doors, () => cancel(NO_ID), unknown)
    await same(here().withDaemon, () => resume(NO_ID), unknown)
  })

  test('of settled executions', async () => {
    const id = await here().ran(executionOf([nap(1)]))
    const answers = await same(here().doors, () => lookUp(id), LOOKED)
    const { dispatched, ...receipt } = rawOf(answers, 'MCP').receipt as Record<string, unknown>
    expect(rawOf(answers, 'CLI').execution).toEqual(rawOf(answers, 'HTTP').execution)
    expect(receipt).toEqual(rawOf(answers, 'HTTP').execution)
    expect(dispatched).toBe(true)
    await same(here().doors, () => cancel(id), LOOKED)
    const details = expect.objectContaining({ executionId: 'ID' })
    await same(here().withDaemon, () => resume(id), { code: 'RESUME_REFUSED', details, ...UNSENT })
  })

  test('of executions whose picture was named: a resumed step writes it there', async () => {
    const names = ['http.png', 'cli.png', 'daemon.png']
    const { HTTP, CLI, daemon } = here().withDaemon
    await throughAll({ HTTP, CLI, daemon }, async () => {
      const path = names.shift() ?? ''
      const id = await here().ran(executionOf([MISSING, shot(path)]))
      const { http, cli = [] } = resume(id)
      return {
        http: { ...http, path: http?.path ?? '', body: { fromStep: 'shot' } },
        cli: [...cli, '--from-step', 'shot'],
      }
    })
    const files = readdirSync(here().lab.home).filter(name => name.endsWith('.png'))
    expect(files.sort()).toEqual(['cli.png', 'daemon.png', 'http.png'])
  })

  test('of executions that run in this process or another one', async () => {
    const ids: string[] = []
    const runs: Promise<unknown>[] = []
    const answers = await throughAll(here().doors, async () => {
      const before = here().lab.seen(1)
      const [commandId, deviceId] = [`run-${ids.length}`, here().phone(1)]
      /** The phone may be done with the one before while its host does not know it yet. */
      const ask = async () => {
        for (;;) {
          const body = { execution: executionOf([nap(1_000)], { commandId }), deviceId }
          const answer = await call(`${here().url}/execute`, { body })
          if (answer.status !== CONFLICT) return answer
          await wait(50)
        }
      }
      await until(
        () =>
          here()
            .lab.fleet.devices[1]?.phone.executions()
            .every(({ finishedAt }) => finishedAt !== undefined) === true,
        'the phone to be free',
      )
      await runs.at(-1)
      runs.push(ask())
      await until(() => here().lab.seen(1) > before, 'the phone to have it')
      const { json } = await call(`${here().url}/executions?commandId=${commandId}`)
      const [{ executionId = '' } = {}] = (json as { executions: { executionId?: string }[] }).executions
      ids.push(executionId)
      return cancel(executionId)
    })
    expect(outcomes(answers)).toEqual(each(answers, { ...DONE, sent: 0 }))
    await Promise.all(runs)
  })

  test('of a cancelled execution tell the steps as a resumption does, and who is busy with it', async () => {
    const deviceId = here().phone(2)
    const home = { id: 'home', type: 'press_key', params: { key: 'home' } }
    const before = here().lab.seen(2)
    const running = here().ran(
      executionOf([home, { ...shot('here.png'), params: {} }, nap(3_000), { ...home, id: 'last' }]),
      deviceId,
    )
    await until(() => here().lab.seen(2) > before + 1, 'the phone to have the last segment')
    const { json } = await call(`${here().url}/executions?deviceId=${encodeURIComponent(deviceId)}&limit=1`)
    const executionId = (json as { executions: { executionId: string }[] }).executions[0]?.executionId ?? ''
    await here().doors.HTTP(cancel(executionId))
    await running
    const busy = await throughAll(here().doors, () => execute(executionOf([nap(1)]), deviceId))
    for (const { raw, code } of Object.values(busy)) {
      expect(code).toBe('EXECUTION_CONFLICT_IN_FLIGHT')
      expect(JSON.stringify(raw)).toMatch(`is still finishing execution ${executionId}`)
    }
    // The phone is at the nap, so what comes behind it has not begun.
    const told = { executedSteps: ['home', 'shot'], doubtfulSteps: [], runningStep: 'nap' }
    const shown = await throughAll(here().doors, () => lookUp(executionId))
    const sentence = 'Known to have run: steps "home", "shot"; may have run: step "last".'
    for (const { raw } of Object.values(shown)) {
      expect(raw.execution ?? raw.receipt).toMatchObject({
        ...told,
        actions: [
          { id: 'home', type: 'press_key' },
          { id: 'shot', type: 'take_screenshot' },
          { id: 'nap', type: 'sleep' },
          { id: 'last', type: 'press_key' },
        ],
        result: { error: { code: 'EXECUTION_CANCELLED', message: expect.stringContaining(sentence) } },
      })
    }
    const states = async () => {
      const { json: traced } = await call(`${here().url}/executions/${executionId}/trace`)
      const [execution] = (traced as { trace: { executions: { timeline: { state: string }[] }[] } }).trace.executions
      return execution?.timeline.map(({ state }) => state)
    }
    expect(await states()).toEqual(['succeeded', 'succeeded', 'unknown', 'unknown'])
    expect(await here().doors.HTTP(resume(executionId))).toMatchObject({
      code: 'EXECUTION_CONFLICT_IN_FLIGHT',
      details: { interrupted: { step: 'nap' } },
    })
    await expect.poll(states, { timeout: 20_000 }).toEqual(['succeeded', 'succeeded', 'succeeded', 'succeeded'])
    const later = rawOf(await throughAll({ HTTP: here().doors.HTTP }, () => lookUp(executionId)), 'HTTP')
    expect(later.execution).toMatchObject({ executedSteps: ['home', 'shot', 'nap', 'last'], doubtfulSteps: [] })
  })

  test('are listed alike, with the skill run that caused them', async () => {
    const args = ['--query', 'battery']
    const ran = await throughAll({ HTTP: here().doors.HTTP }, () => runSkill(SKILL, here().phone(0), args))
    expect(ran.HTTP).toMatchObject({ code: 'ok' })
    const answers = await throughAll(here().doors, () => ({
      http: { method: 'GET', path: '/executions?limit=3' },
      cli: ['executions', 'list', '--limit', '3'],
      mcp: ['receipts', { limit: 3 }],
    }))
    type Listed = { executionId: string; skillRunId?: string; host?: string }
    const [http, cli] = [rawOf(answers, 'HTTP').executions, rawOf(answers, 'CLI').executions] as Listed[][]
    expect(cli).toEqual(http)
    expect((rawOf(answers, 'MCP').receipts as Listed[]).map(({ executionId }) => executionId)).toEqual(
      http?.map(({ executionId }) => executionId),
    )
    expect(http?.[0]).toMatchObject({ skillRunId: expect.any(String) })
    expect(http?.[0]).not.toHaveProperty('host')
  })
})

describe.each(['any', 'any:tag=lab', 'S@lab2'])('outside of a fleet, device %s is not found', device => {
  const show: Asked = {
    http: { method: 'GET', path: `/devices/${device}` },
    cli: ['device', 'info', '--device', device],
    mcp: ['device', { device }],
  }
  test.each<[string, () => Asked | Promise<Asked>]>([
    ['executions', () => execute(executionOf([nap(1)]), device)],
    ['skills', () => runSkill(SKILL, device)],
    ['resumptions', async () => resume(await here().ran(executionOf([MISSING])), device)],
    ['looks', () => show],
  ])('%s', async (_name, ask) => {
    const outcome = { code: 'DEVICE_NOT_FOUND', details: CONNECTED, ...UNSENT }
    const answers = await throughAll(here().doors, ask)
    for (const answer of Object.values(answers)) {
      expect({ ...answer, sent: 0 }).toMatchObject(outcome)
      expect(JSON.stringify(answer.raw)).toMatch(/ in no fleet.*SVC_FLEET/)
    }
  })
})

describe('skills', () => {
  test.each<[string, () => Asked, Outcome]>([
    [
      'that are unknown',
      () => runSkill('com.example.none', here().phone(0)),
      { code: 'SKILL_NOT_FOUND', details: { skillId: 'com.example.none', registryPath: REGISTRY }, ...UNSENT },
    ],
    [
      'for an unknown device',
      () => runSkill(SKILL, 'none'),
      { code: 'DEVICE_NOT_FOUND', details: CONNECTED, ...UNSENT },
    ],
    [
      'without a device, where there are several',
      () => runSkill(SKILL, '', ['--query', 'battery']),
      { code: 'SKILL_EXECUTION_FAILED', details: {}, ...UNSENT },
    ],
  ])('%s', async (_name, ask, outcome) => void (await same(here().doors, ask, outcome)))
})

test('devices are listed by the same fields', async () => {
  const answers = await same(
    here().doors,
    () => ({ http: { method: 'GET', path: '/devices' }, cli: ['devices'], mcp: ['devices', {}] }),
    LOOKED,
  )
  const devices = here().lab.fleet.devices.map(({ serial }) => ({ serial, deviceId: serial, state: 'device' }))
  for (const { raw } of Object.values(answers)) expect(raw.devices).toEqual(devices)
})

test('an execution that a silent process runs cannot be cancelled through any door', async () => {
  const serial = here().phone(2)
  const before = here().lab.seen(2)
  const running = here().lab.start(['sleep', '60000', '--device', serial], { env: { SVC_NO_DAEMON: '1' } })
  await until(() => here().lab.seen(2) > before, 'the phone to have it')
  const { json } = await call(`${here().url}/executions?deviceId=${serial}&limit=1`)
  const [{ executionId = '' } = {}] = (json as { executions: { executionId?: string }[] }).executions
  running.child.kill('SIGSTOP')
  const [http, cli] = await Promise.all([here().doors.HTTP(cancel(executionId)), here().doors.CLI(cancel(executionId))])
  running.child.kill('SIGKILL')
  const holder = { pid: 0, executionId: 'ID', commandId: expect.any(String), since: 0 }
  expect(http).toMatchObject({
    code: 'EXECUTION_CONFLICT_IN_FLIGHT',
    details: { executionId: 'ID', deviceId: 'PHONE-2', holder },
  })
  const errors = [http?.raw.error, cli?.raw]
  expect(errors[1]).toEqual(errors[0])
  expect(errors[0]).toHaveProperty('hint')
})
