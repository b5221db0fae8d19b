/** A phone that this process holds: others are refused from memory, and a crowd of them at a pace. */

import { describe, expect, test } from 'vitest'
import { Policy as PolicySchema } from '../../../../src/contracts/policy.ts'
import { memoryJournal } from '../../../../src/runtime/journal/memory.ts'
import { createRefusalPace } from '../../../../src/service/executions/refusals.ts'
import { accept } from '../../../contracts/parse.ts'
import { shellOk } from '../../../support/device/fake-link.ts'
import { type ProcessOptions, phone, pressHome, svcProcess } from '../../../support/executions/executor-bench.ts'
import { DEVICE_CONFLICT } from '../../../support/failure-codes.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { settled } from '../../../support/settled.ts'

/** A process whose first execution is on its way until `finish`. */
const busyProcess = async (more: Partial<ProcessOptions> = {}) => {
  const clock = manualClock()
  const journal = memoryJournal({ alive: () => true, clock })
  let finish = () => {}
  const held = new Promise<void>(resolve => {
    finish = resolve
  })
  const link = phone(clock, command => (command.includes('HOME') ? held.then(() => shellOk()) : undefined))
  const own = svcProcess({ journal, clock, link, ...more })
  const first = own.execute(pressHome())
  await settled()
  const [holder] = journal.receipts()
  return { ...own, clock, journal, link, first, finish, executionId: holder?.executionId ?? '' }
}

describe('a phone that an execution of this process holds', () => {
  test('is refused to others without a record, a listing or a look at the phone', async () => {
    const asked: string[] = []
    const operatorChoice = { choose: async () => String(asked.push('operator')), forget: () => {} }
    const { execute, journal, link, executionId, clock, first, finish } = await busyProcess({
      parts: { operatorChoice },
    })
    const [head, calls] = [journal.head(), link.calls.length]
    const heard: unknown[] = []
    const { operatorPackage: _, ...unnamed } = pressHome()
    const refused = await execute({ ...unnamed, onRequested: requested => heard.push(requested) })
    expect(refused).toEqual({
      deviceId: 'd1',
      result: {
        ok: false,
        error: {
          code: DEVICE_CONFLICT,
          message: 'Device d1 is busy with execution e1-1 (c1) since 1970-01-01T00:16:40.000Z.',
          details: { deviceId: 'd1', holder: { pid: 1, executionId, commandId: 'c1', since: clock.now() } },
          retriable: true,
          hint: 'Wait for the device with `waitMs`, or cancel that one with `DELETE /executions/e1-1`, and repeat the request.',
        },
      },
    })
    expect([journal.head(), link.calls.length, asked, heard]).toEqual([head, calls, [], []])
    finish()
    expect((await first).result.ok).toBe(true)
    expect((await execute(pressHome())).result.ok).toBe(true)
  })

  test('is refused by the policy first', async () => {
    const policy = accept(PolicySchema, {
      rules: [{ id: 'no', effect: 'deny', actions: ['press_key'], callers: ['mcp'] }],
    })
    const { execute, finish } = await busyProcess({ policy })
    const codeFor = async (caller: 'mcp' | 'cli') => {
      const { result } = await execute({ ...pressHome(), caller })
      return result.ok ? undefined : result.error.code
    }
    expect([await codeFor('mcp'), await codeFor('cli')]).toEqual(['EXECUTION_DENIED', DEVICE_CONFLICT])
    finish()
  })

  test('answers a crowd later and later, and a caller who cancels meanwhile at once', async () => {
    const { execute, clock, finish } = await busyProcess()
    const answered: number[] = []
    const leaving = new AbortController()
    const crowd = Array.from({ length: 30 }, async (_, caller) => {
      const { result } = await execute({ ...pressHome(), ...(caller === 29 ? { cancel: leaving.signal } : {}) })
      answered.push(caller)
      return result.ok ? '' : result.error.code
    })
    await settled()
    expect(answered.length).toBe(10)
    leaving.abort()
    expect(await crowd[29]).toBe('EXECUTION_CANCELLED')
    clock.advance(50)
    await settled()
    expect(answered.length).toBe(21)
    clock.advance(200)
    const codes = await Promise.all(crowd)
    expect(new Set(codes.slice(0, 29))).toEqual(new Set([DEVICE_CONFLICT]))
    finish()
  })

  test('does not keep a caller beyond its own bound', async () => {
    const { execute, clock, finish } = await busyProcess()
    const crowd = Array.from({ length: 30 }, () => execute({ ...pressHome(), answerBy: clock.elapsed() + 6_000 }))
    await settled()
    const answerBy = clock.elapsed() + 5_010
    const last = execute({ ...pressHome(), answerBy })
    clock.advance(5_010)
    expect((await last).result.ok).toBe(false)
    await Promise.all(crowd)
    finish()
  })
})

test('the pace of refusals: ten at once, then one each 5 ms, none later than 250 ms, each device by itself', () => {
  const clock = manualClock()
  const paceOf = createRefusalPace(clock)
  const waits = Array.from({ length: 100 }, () => paceOf('d1'))
  expect(waits.slice(0, 12)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 10])
  expect(Math.max(...waits)).toBe(250)
  expect(paceOf('d2')).toBe(0)
  clock.advance(1_000)
  expect(paceOf('d1')).toBe(0)
})
