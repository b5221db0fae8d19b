/** `svc executions show --wait` and `resume` of an execution that ended without an answer: exit codes, JSON and text. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readScenario } from '../../../../src/simulator/scenario/scenario.ts'
import { runCliHere } from '../../../support/cli/cli-here.ts'
import { recordCrashes } from '../../../support/cli/crashed-home.ts'
import { type Lab, startLab } from '../../../support/executions/lab.ts'
import { actionsOf, BACK, TAP } from '../../../support/executions/recorded-execution.ts'
import { temporary } from '../../../support/temporary.ts'
import { until } from '../../../support/until.ts'

const NO_SERVER = { ADB_SERVER_SOCKET: 'tcp:127.0.0.1:1' }

/** The answer of one command as JSON and its exit code, and the text of the same command. */
const both = async (env: Record<string, string>, ...args: string[]) => {
  const json = await runCliHere(args, { env })
  const text = await runCliHere([...args, '--output', 'text'], { env })
  expect(text.code).toBe(json.code)
  return { code: json.code, json: json.json(), text: `${text.stdout}${text.stderr}` }
}

describe('in doubt, and its phone is gone', () => {
  const folder = temporary('svc-doubt-')
  let env: Record<string, string>
  beforeAll(async () => {
    const home = mkdtempSync(join(folder(), 'h-'))
    env = { ...NO_SERVER, SVC_HOME: home }
    await recordCrashes(home, [{ executionId: 'doubt', actions: actionsOf(BACK, TAP) }])
  })

  test('is shown as it is, exit code 0, and who was asked', async () => {
    const { code, json, text } = await both(env, 'executions', 'show', 'doubt')
    expect([code, json]).toMatchObject([
      0,
      {
        execution: {
          state: 'interrupted',
          outcome: 'unknown',
          undecided: expect.any(String),
          doubtfulSteps: ['s0', 's1'],
        },
      },
    ])
    expect(text).toContain('It may have happened: it was sent to lost-0 at')
    expect(text).toMatch(/Interrupted +.*when the svc process that ran it was found to be gone/)
    expect(text).toContain('In doubt     s0, s1')
  })

  test('a wait for it ends when its time is over, exit code 0', async () => {
    const { code, json } = await both(env, 'executions', 'show', 'doubt', '--wait', '300')
    expect([code, json]).toMatchObject([0, { execution: { outcome: 'unknown' } }])
  })

  test('a wait of no time, or of too much, is refused', async () => {
    for (const wait of ['soon', '120001']) {
      const { code, json } = await both(env, 'executions', 'show', 'doubt', '--wait', wait)
      expect([code, json]).toMatchObject([1, { code: 'USAGE', message: expect.stringContaining('--wait') }])
    }
  })

  test('is not resumed without a word on what happened, exit code 1', async () => {
    const { code, json, text } = await both(env, 'executions', 'resume', 'doubt')
    expect([code, json]).toMatchObject([
      1,
      {
        code: 'RESUME_IN_DOUBT',
        details: { doubtfulSteps: ['s0', 's1'], executedSteps: [] },
        hint: expect.stringContaining('svc executions resume doubt --from-step s0'),
      },
    ])
    expect(text).toContain('RESUME_IN_DOUBT')
    expect(text).toContain('svc executions resume doubt --from-step s0')
  })
})

describe('still at work on its phone', () => {
  const COUNT = readScenario(
    JSON.stringify({
      front: 'com.example.count',
      apps: [
        {
          package: 'com.example.count',
          label: 'Count',
          counters: { n: { kept: true } },
          screens: {
            main: { nodes: [{ text: 'Count {n}' }, { class: 'Button', text: 'Add', onTap: { count: { n: 1 } } }] },
          },
        },
      ],
    }),
  )
  const add = (id: string) => ({ id, type: 'click', params: { matcher: { textEquals: 'Add' } } })
  /** Longer than the commands take that look meanwhile. */
  const nap = { id: 'nap', type: 'sleep', params: { durationMs: 12_000 } }
  let lab: Lab
  let env: Record<string, string>
  let id = ''
  beforeAll(async () => {
    if (!COUNT.ok) throw new Error(COUNT.error)
    lab = await startLab({ scenario: COUNT.scenario })
    env = { ...NO_SERVER, HOME: lab.home, SVC_TCP_DEVICES: lab.fleet.devices[0]?.serial ?? '' }
    const running = lab.execute([add('first'), nap, add('second')], { timeoutMs: 60_000 })
    const newest = () => lab.services.journal().receipts({ limit: 1 })[0]
    await until(() => (lab.fleet.devices[0]?.phone.executions().length ?? 0) > 0, 'the phone to have the list')
    id = newest()?.executionId ?? ''
    // Nobody waits for it any more; the phone goes on.
    await lab.services.executions().cancel(id)
    await running
  })
  afterAll(() => lab.close())

  test('is refused, waited for, and known when it has ended', async () => {
    const refused = await both(env, 'executions', 'resume', id)
    expect([refused.code, refused.json]).toMatchObject([
      1,
      {
        code: 'EXECUTION_CONFLICT_IN_FLIGHT',
        details: { interrupted: { executionId: id, step: 'nap' }, dispatched: false },
        hint: expect.stringContaining(`svc executions show ${id}`),
      },
    ])
    expect(refused.text).toContain('is still at work on execution')
    expect(refused.text).toContain('--wait <ms>')

    const short = await both(env, 'executions', 'show', id, '--wait', '200')
    expect([short.code, short.json]).toMatchObject([0, { execution: { outcome: 'unknown', runningStep: 'nap' } }])
    expect(short.text).toContain('is still at work on it, at step "nap"')
    expect(short.text).toMatch(/nap +Wait 12 s +running/)
    expect(short.text).toMatch(/second +Click “Add” +not begun/)

    const ended = await runCliHere(['executions', 'show', id, '--wait', '60000'], { env })
    expect([ended.code, ended.json()]).toMatchObject([
      0,
      { execution: { outcome: 'done', steps: [{ outcome: 'done' }, { outcome: 'done' }, { outcome: 'done' }] } },
    ])
    const text = (await runCliHere(['executions', 'show', id, '--output', 'text'], { env })).stdout
    expect(text).toContain('Yes: all 3 steps on')
    expect(text).toMatch(/Answered +\S+, with EXECUTION_CANCELLED: its end was not known yet/)
    expect(text).not.toMatch(/in doubt|may have/i)

    const over = await both(env, 'executions', 'resume', id)
    expect([over.code, over.json]).toMatchObject([
      1,
      { code: 'RESUME_REFUSED', message: expect.stringContaining('All 3 steps') },
    ])
  })

  test('what was resumed is not resumed again, and its receipt names the one that goes on with it', async () => {
    const missing = { id: 'gone', type: 'click', params: { matcher: { textEquals: 'Nowhere' } } }
    const { executionId = '' } = await lab.execute([add('third'), missing])
    const resumed = await runCliHere(['executions', 'resume', executionId], { env })
    // It is not there yet.
    expect([resumed.code, resumed.json()]).toMatchObject([
      1,
      { envelope: { status: 'failed', errorCode: 'NODE_NOT_FOUND' } },
    ])
    const by = resumed.json<{ executionId: string }>().executionId
    const again = await both(env, 'executions', 'resume', executionId)
    expect([again.code, again.json]).toMatchObject([
      1,
      {
        code: 'RESUME_REFUSED',
        details: { resumedBy: by },
        hint: expect.stringContaining(`svc executions resume ${by}`),
      },
    ])
    const { json, text } = await both(env, 'executions', 'show', executionId)
    expect(json).toMatchObject({ execution: { resumedBy: by } })
    expect(text).toMatch(new RegExp(`Resumed by +${by}`))
  })
})
