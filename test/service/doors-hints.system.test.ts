/** Every door says the same of a failure, and says what to do in the words that its own callers can use. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../support/http/http-client.ts'
import { until } from '../support/until.ts'
import { type Answer, cancel, execute, executionOf, nap, throughAll } from './doors.ts'
import { localOfTests } from './doors-local.ts'

const here = localOfTests()

const isCommand = (door: string) => door !== 'HTTP' && door !== 'MCP'

/** A flag may stand behind the command that takes it: somebody at the host can type that. */
const bareFlag = /(?<!svc [a-z-]+(?: [^`.]*)?)--[a-z]/

const hintsOf = (answers: Record<string, Answer>) =>
  Object.entries(answers).map(([door, { hint }]) => ({ door, hint: hint ?? '' }))

/** The first phone is at work until the returned function is called. */
const keepBusy = async () => {
  const deviceId = here().phone(0)
  const before = here().lab.seen(0)
  const running = here().ran(executionOf([nap(60_000)], { commandId: 'long', timeoutMs: 90_000 }), deviceId)
  await until(() => here().lab.seen(0) > before, 'the phone to be busy')
  return async () => {
    const { json } = await call(
      `${here().url}/executions?deviceId=${encodeURIComponent(deviceId)}&commandId=long&limit=1`,
    )
    const [receipt] = (json as { executions: { executionId: string }[] }).executions
    await here().doors.HTTP(cancel(receipt?.executionId ?? ''))
    await running
  }
}

test('a node that is missing has the same nearest labels everywhere, and refs that name the same nodes', async () => {
  const tap = { id: 'tap', type: 'click', params: { matcher: { textEquals: 'Wi-Fii' } } }
  const open = { id: 'open', type: 'open_app', params: { applicationId: 'com.android.settings' } }
  const answers = await throughAll(here().withDaemon, () => execute(executionOf([open, tap]), here().phone(0)))
  expect(Object.keys(answers).length).toBeGreaterThanOrEqual(4)
  const found = Object.values(answers).map(({ code, details }) => ({
    code,
    foreground: details.foreground,
    nearest: details.nearest,
  }))
  expect(found[0]).toEqual({
    code: 'NODE_NOT_FOUND',
    foreground: 'com.android.settings',
    nearest: expect.arrayContaining([
      expect.objectContaining({ label: expect.any(String), ref: expect.stringMatching(/^@SCREEN\.\d+$/) }),
    ]),
  })
  for (const each of found) expect(each).toEqual(found[0])
  for (const { hint } of hintsOf(answers)) expect(hint).toContain('com.android.settings')
})

const requestOfHttp = /\b(?:GET|POST|DELETE) \//

describe('while a phone is reserved', () => {
  let leaseId = ''
  beforeAll(async () => {
    const body = { device: here().phone(0), forMs: 60_000 }
    const { json } = await call(`${here().url}/leases`, { body })
    expect(json).toMatchObject({ lease: { leaseId: expect.any(String) } })
    leaseId = (json as { lease: { leaseId: string } }).lease.leaseId
  })
  afterAll(() => call(`${here().url}/leases/${leaseId}`, { method: 'DELETE' }))

  test('each door says how its own callers see and use the reservation', async () => {
    const deviceId = here().phone(0)
    const leases = {
      http: { path: '/leases', body: { device: deviceId, forMs: 1_000 } },
      cli: ['lease', deviceId, '--for', '1s'],
      mcp: ['lease', { action: 'create', device: deviceId, forMs: 1_000 }],
    } as const
    for (const asked of [execute(executionOf([nap(1)]), deviceId), leases]) {
      const answers = await throughAll(here().doors, () => asked)
      expect(Object.keys(answers).length).toBe(3)
      for (const { door, hint } of hintsOf(answers)) {
        expect({ door, hint }).toEqual({ door, hint: expect.stringMatching(/\S/) })
        if (door === 'HTTP') expect(hint).not.toMatch(/`svc (?:lease|devices|executions)/)
        else expect(hint, door).not.toMatch(requestOfHttp)
      }
    }
  })
})

test('a flow that fails is told in commands on the command line, and in tools over MCP', async () => {
  const yaml = 'appId: com.example.none\n---\n- launchApp\n'
  writeFileSync(join(here().lab.home, 'none.yaml'), yaml)
  const deviceId = here().phone(1)
  const answers = await throughAll(here().doors, () => ({
    cli: ['test', 'none.yaml', '--device', deviceId],
    mcp: ['run_flow', { yaml, device: deviceId }],
  }))
  expect(Object.keys(answers)).toEqual(['CLI', 'MCP'])
  for (const [door, { raw }] of Object.entries(answers)) {
    const hints = JSON.stringify(raw).match(/"hint":"[^"]*"/g) ?? []
    expect(hints.length, door).toBeGreaterThan(0)
    for (const hint of hints) expect(hint, door).not.toMatch(requestOfHttp)
    expect(JSON.stringify(raw), door).toContain(door === 'CLI' ? 'svc apps' : 'the tool apps')
  }
})

describe('while a phone is at work', () => {
  let finish = async () => {}
  beforeAll(async () => {
    finish = await keepBusy()
  })
  afterAll(() => finish())

  test('for a busy phone each door says who has it, since when, and how its own callers wait', async () => {
    const answers = await throughAll(here().withDaemon, () => execute(executionOf([nap(1)]), here().phone(0)))
    for (const { code, raw } of Object.values(answers)) {
      expect(code).toBe('EXECUTION_CONFLICT_IN_FLIGHT')
      expect(JSON.stringify(raw)).toMatch(/is busy with execution \S+ \(long\) since \d{4}-\d\d-\d\dT/)
    }
    for (const { door, hint } of hintsOf(answers)) {
      expect({ door, hint }).toEqual({
        door,
        hint: expect.stringContaining(isCommand(door) ? '`--wait <ms>`' : '`waitMs`'),
      })
      expect(hint).toMatch(
        isCommand(door) ? /`svc executions cancel \S+`/ : /DELETE \/executions|svc executions cancel/,
      )
      if (!isCommand(door)) expect(hint).not.toMatch(bareFlag)
    }
  })

  test('of several phones each is named with its model and what it does', async () => {
    const answers = await throughAll(here().withDaemon, () => execute(executionOf([nap(1)])))
    for (const { code, details } of Object.values(answers)) {
      expect(code).toBe('MULTIPLE_DEVICES_DEVICE_ID_REQUIRED')
      expect(details.devices).toEqual([
        expect.objectContaining({ model: expect.any(String), state: 'running', commandId: 'long', waiting: 0 }),
        expect.objectContaining({ model: expect.any(String), state: 'idle', waiting: 0 }),
        expect.objectContaining({ model: expect.any(String), state: 'idle', waiting: 0 }),
      ])
    }
    for (const { door, hint } of hintsOf(answers)) {
      const word = door === 'HTTP' ? '`deviceId`' : door === 'MCP' ? '`device`' : '`--device <serial>`'
      expect({ door, hint }).toEqual({ door, hint: expect.stringMatching(new RegExp(`^Name one with ${word}: `)) })
    }
  })
})
