/** Every door says the same of a failure, and says what to do in the words that its own callers can use. */
import { expect, test } from 'vitest'
import { until } from '../support/until.ts'
import { type Answer, execute, executionOf, nap, throughAll } from './doors.ts'
import { localOfTests } from './doors-local.ts'

const here = localOfTests()

const isCommand = (door: string) => door !== 'http' && door !== 'mcp'

/** A flag may stand behind the command that takes it: somebody at the host can type that. */
const bareFlag = /(?<!svc [a-z-]+(?: [^`.]*)?)--[a-z]/

const hintsOf = (answers: Record<string, Answer>) =>
  Object.entries(answers).map(([door, { hint }]) => ({ door, hint: hint ?? '' }))

test('a node that is missing has the same nearest labels everywhere, and refs that name the same nodes', async () => {
  const tap = { id: 'tap', type: 'click', params: { matcher: { textEquals: 'Batery' } } }
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
      expect.objectContaining({ label: expect.any(String), ref: expect.stringMatching(/^@\d+\.\d+$/) }),
    ]),
  })
  for (const each of found) expect(each).toEqual(found[0])
  for (const { hint } of hintsOf(answers)) expect(hint).toContain('com.android.settings')
})

test('for a busy phone each door says who has it, since when, and how its own callers wait', async () => {
  const running = here().ran(executionOf([nap(3_000)], { commandId: 'long' }))
  await until(
    () => here().lab.fleet.devices[0]?.phone.executions().at(-1)?.finishedAt === undefined,
    'the phone to be busy',
  )
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
    expect(hint).toMatch(isCommand(door) ? /`svc executions cancel \S+`/ : /DELETE \/executions|svc executions cancel/)
    if (!isCommand(door)) expect(hint).not.toMatch(bareFlag)
  }
  await running
})

test('of several phones each is named with its model and what it does', async () => {
  const running = here().ran(executionOf([nap(3_000)], { commandId: 'long' }))
  await until(
    () => here().lab.fleet.devices[0]?.phone.executions().at(-1)?.finishedAt === undefined,
    'the phone to be busy',
  )
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
    const word = door === 'http' ? '`deviceId`' : door === 'mcp' ? '`device`' : '`--device <serial>`'
    expect({ door, hint }).toEqual({ door, hint: expect.stringMatching(new RegExp(`^Name one with ${word}: `)) })
  }
  await running
})
