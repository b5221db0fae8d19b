/** `svc watch` and `svc executions`: what happened and what happens, from another process. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Receipt } from '../../../../src/contracts/executions/receipt.ts'
import { runCliHere } from '../../../support/cli/cli-here.ts'
import { type RunningCli, startCli } from '../../../support/cli/run-cli.ts'
import { type Lab, startLab } from '../../../support/executions/lab.ts'
import { until } from '../../../support/until.ts'

let lab: Lab
let env: NodeJS.ProcessEnv
let serials: string[]

beforeAll(async () => {
  lab = await startLab({ count: 2 })
  serials = lab.fleet.devices.map(({ serial }) => serial)
  env = { HOME: lab.home, SVC_TCP_DEVICES: serials.join(',') }
})
afterAll(() => lab.close())

const sleepOn = async (device: number, commandId = 'c1') => {
  const { result, executionId } = await lab.execute([{ id: 'a', type: 'sleep', params: { durationMs: 0 } }], {
    deviceId: serials[device] ?? '',
    commandId,
  })
  if (!result.ok) throw new Error(result.error.message)
  return executionId ?? ''
}

const linesOf = ({ stdout }: RunningCli) => stdout().split('\n').slice(0, -1)

const STEPS = ['execution.requested', 'execution.dispatched', 'execution.settled']

describe('watch', () => {
  test('prints what comes from any process, one line each, until a signal', async () => {
    const running = startCli(['watch'], { env })
    // It begins with what comes from now on: when that is, only its first line tells.
    const executions = (async () => {
      while (linesOf(running).length < 4) await sleepOn(0)
    })()
    await executions
    running.child.kill('SIGTERM')
    const ended = await running.ended
    expect(ended).toMatchObject({ code: 143, stderr: '' })
    for (const line of ended.stdout.trim().split('\n')) {
      expect(line).toMatch(/^\d{4}-\d\d-\d\dT\S+Z {2}\d+ {2}device:\S+ {2}execution\.\w+ +\S+ -> \S+$/)
    }
  })

  test('--after replays, --json prints objects, and one actor can be chosen', async () => {
    const before = lab.services.journal().head()
    await sleepOn(0)
    await sleepOn(1)
    const running = startCli(['watch', `device:${serials[1]}`, '--json', '--after', String(before)], { env })
    await until(() => linesOf(running).length >= 3, 'the replay')
    running.child.kill('SIGINT')
    expect((await running.ended).code).toBe(130)
    const transitions = linesOf(running).map(line => JSON.parse(line))
    const ours = transitions.filter(({ event }) => STEPS.includes(event))
    expect(ours.map(({ event }) => event)).toEqual(STEPS)
    for (const transition of transitions) {
      expect(Object.keys(transition).sort()).toEqual(['actor', 'at', 'event', 'from', 'machine', 'seq', 'to'])
      expect(transition).toMatchObject({ actor: `device:${serials[1]}`, machine: 'device' })
      expect(transition.seq).toBeGreaterThan(before)
    }
  })

  test('says that an actor has no record yet, and which was probably meant; of a denial, what it was about', async () => {
    const journal = lab.services.journal()
    const event = { type: 'execution.denied', rule: 'no taps', effect: 'deny', action: 'click', caller: 'cli' }
    const record = {
      actor: 'policy',
      n: 0,
      machine: 'policy',
      version: 1,
      at: 1,
      from: 'denied',
      to: 'denied',
      tags: [],
    }
    const running = startCli(['watch', 'polcy'], { env })
    const denials = startCli(['watch', 'policy'], { env })
    await until(() => running.stderr() !== '' && denials.stderr() !== '', 'the notes')
    await journal.append({ ...record, event: { ...event, deviceId: 'd1' } })
    await until(() => linesOf(denials).length > 0, 'the denial')
    for (const each of [running, denials]) each.child.kill('SIGTERM')
    await Promise.all([running.ended, denials.ended])
    expect(denials.stderr()).toBe('No actor "policy" has a record yet: svc waits for its first one.\n')
    expect(denials.stdout()).toMatch(
      / {2}rule="no taps" {2}effect=deny {2}action=click {2}deviceId=d1 {2}caller=cli\n$/,
    )
    const again = startCli(['watch', 'polcy'], { env })
    await until(() => again.stderr() !== '', 'the note')
    again.child.kill('SIGTERM')
    expect((await again.ended).stderr).toContain('Did you mean policy?')
  })

  test('ends by itself, and quietly, when its reader has gone', async () => {
    const running = startCli(['watch', '--device', serials[0] ?? '', '--after', '0'], { env })
    await until(() => linesOf(running).length > 0, 'the first line')
    running.child.stdout.destroy()
    const ended = (async () => {
      while (running.child.exitCode === null) await sleepOn(0)
    })()
    await ended
    expect(running.child.exitCode).toBe(0)
    expect(running.stderr()).toBe('')
  })
})

describe('executions', () => {
  test('list is newest first, and takes the filters', async () => {
    const ids = [await sleepOn(0, 'wanted'), await sleepOn(1, 'wanted'), await sleepOn(1, 'other')]
    const listed = async (...args: string[]) => {
      const ended = await runCliHere(['executions', 'list', ...args], { env })
      expect(ended.code).toBe(0)
      const { executions, count } = ended.json<{ executions: Receipt[]; count: number }>()
      expect(count).toBe(executions.length)
      return executions.map(({ executionId }) => executionId)
    }
    expect(await listed('--limit', '3')).toEqual([...ids].reverse())
    expect(await listed('--command', 'wanted')).toEqual([ids[1], ids[0]])
    expect(await listed('--command', 'wanted', '--device', serials[0] ?? '')).toEqual([ids[0]])
    expect(await listed('--skill-run', 'none')).toEqual([])
    expect(await listed('--task', 't1', '--limit', '1')).toEqual([ids[2]])
    expect(await listed('--task', 'none')).toEqual([])
  })

  test('show prints the receipt with its result', async () => {
    const executionId = await sleepOn(0, 'shown')
    const ended = await runCliHere(['executions', 'show', executionId], { env })
    expect(ended.code).toBe(0)
    expect(ended.json()).toMatchObject({
      execution: {
        executionId,
        commandId: 'shown',
        taskId: 't1',
        deviceId: serials[0],
        state: 'settled',
        acceptedAt: expect.any(Number),
        dispatchedAt: expect.any(Number),
        settledAt: expect.any(Number),
        result: { ok: true, envelope: { status: 'success' } },
      },
    })
  })

  test('EXECUTION_NOT_FOUND', async () => {
    const ended = await runCliHere(['executions', 'show', 'nope'], { env })
    expect(ended.code).toBe(1)
    expect(ended.json()).toMatchObject({ code: 'EXECUTION_NOT_FOUND', details: { executionId: 'nope' } })
  })
})
