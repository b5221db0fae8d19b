/** What a listener tells of its executions comes from the journal: also what ended while nobody, or another process, was there. */
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { REFUSALS_RECORDED } from '../../../../src/contracts/limits/limits.ts'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { JournalError } from '../../../../src/runtime/journal/fault.ts'
import { openJournal } from '../../../../src/runtime/journal/sqlite.ts'
import type { ListenerParts } from '../../../../src/start/listener.ts'
import { deviceHost, heldOperator, request, target } from '../../../support/executions/device-host.ts'
import { fakeExecutions, refusedWith } from '../../../support/executions/fake-executions.ts'
import { call, readEvents } from '../../../support/http/http-client.ts'
import { fakeDeps, listen, type ServedApp } from '../../../support/http/http-server.ts'
import { tamper } from '../../../support/runtime/damage.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-outcomes-')
const served: ServedApp[] = []
afterEach(async () => {
  for (const { server } of served.splice(0)) await server.close({ graceMs: 0 })
})

const serve = async (deps: ListenerParts): Promise<ServedApp> => {
  const app = await listen(deps)
  served.push(app)
  return app
}
/** All that the listener has to tell to somebody who was there from the beginning. */
const toldBy = async ({ url }: ServedApp, count: number) => {
  const reader = await readEvents(`${url}/events`, { 'Last-Event-ID': '0.1' })
  await reader.have(1 + count)
  reader.close()
  return reader.events.slice(1)
}

describe('an execution whose process died', () => {
  /** Starts one through the listener, lets its process die, and has another process settle what is left. */
  const die = async (deps: ListenerParts, dispatched: boolean, more: Record<string, unknown> = {}) => {
    const { clock } = deps
    const { held, operator } = heldOperator()
    const alive = new Set(['i1', 'i2'])
    const journal = deps.journal()
    const first = deviceHost({ journal, clock, operator, pid: 1, instance: 'i1' })
    const body = { execution: { commandId: 'as-sent' } }
    await first.tell(target(), request('e1', clock, { listener: deps.listener, body, ...more }))
    if (dispatched) await held[0]?.send({ type: 'execution.dispatched', executionId: 'e1', segment: 0 })
    alive.delete('i1')
    for (const lease of journal.leases.list()) await journal.leases.release(lease)
    await deviceHost({ journal, clock, operator, pid: 2, instance: 'i2' }).recover()
  }

  test.each([true, false])('is told once as interrupted, dispatched %s, with what was sent', async dispatched => {
    const deps = fakeDeps(fakeExecutions())
    await die(deps, dispatched)
    for (const app of [await serve(deps), await serve(deps)]) {
      expect(await toldBy(app, 1)).toMatchObject([
        {
          event: 'svc:execution',
          data: {
            deviceId: 'd1',
            input: { commandId: 'as-sent' },
            result: { ok: false, error: { code: 'EXECUTION_INTERRUPTED', details: { executionId: 'e1', dispatched } } },
          },
        },
      ])
    }
  })

  test('is told as its caller wrote it, where that is not as it was run', async () => {
    const deps = fakeDeps(fakeExecutions())
    await die(deps, true, { body: { execution: { commandId: 'canonical' }, input: { command_id: 'as-sent' } } })
    expect(await toldBy(await serve(deps), 1)).toMatchObject([{ data: { input: { command_id: 'as-sent' } } }])
  })

  test('is nothing to another listener', async () => {
    const deps = fakeDeps(fakeExecutions())
    await die(deps, true)
    const other = await serve({ ...deps, listener: 'serve:other' })
    const reader = await readEvents(`${other.url}/events`, { 'Last-Event-ID': '0.1' })
    await reader.have(1)
    await call(`${other.url}/execute`, { body: { execution: {}, deviceId: 'd9' } })
    await reader.have(2)
    expect(reader.events[1]).toMatchObject({ data: { deviceId: 'd9' } })
    reader.close()
  })
})

describe('a refused execution', () => {
  const refused = async (deps: ListenerParts, times = 1) => {
    const app = await serve(deps)
    for (let i = 0; i < times; i++)
      await call(`${app.url}/execute`, { body: { execution: { n: i }, deviceId: `d${i}` } })
    return app
  }

  test('can be asked for again, also from the next process', async () => {
    const deps = fakeDeps(fakeExecutions())
    await refused(deps, 3)
    const told = await toldBy(await serve(deps), 3)
    expect(told.map(({ data }) => (data as { deviceId: string }).deviceId)).toEqual(['d0', 'd1', 'd2'])
    expect(told[0]).toMatchObject({ data: { input: { n: 0 }, result: { ok: false } } })
  })

  test.each<[code: string, route: string, body: object, deviceId: string]>([
    ['MISSING_EXECUTION', '/execute', { deviceId: 'd1' }, 'd1'],
    ['INVALID_BODY', '/execute', { deviceId: 'd1', execution: {}, more: 1 }, 'd1'],
    ['INVALID_BODY', '/snapshot', { deviceId: 'd1', more: 1 }, 'd1'],
    ['INVALID_PATH', '/screenshot', { deviceId: 'd1', path: 7 }, 'd1'],
    ['INVALID_DEVICE_ID', '/snapshot', { deviceId: 7 }, ''],
    ['INVALID_BODY', '/execute', [], ''],
  ])('of which no execution could be made, %s at %s, is told too', async (code, route, body, deviceId) => {
    const app = await serve(fakeDeps(fakeExecutions()))
    const answer = await call(app.url + route, { body })
    expect(answer.json).toMatchObject({ error: { code } })
    expect(await toldBy(app, 1)).toMatchObject([
      { event: 'svc:execution', data: { deviceId, result: { ok: false, error: { code } } } },
    ])
  })

  test('whose headers are refused is told with its device', async () => {
    const app = await serve(fakeDeps(fakeExecutions()))
    await call(`${app.url}/execute`, {
      body: { deviceId: 'd1', execution: { n: 1 } },
      headers: { 'Idempotency-Key': 'a b' },
    })
    expect(await toldBy(app, 1)).toMatchObject([
      { event: 'svc:execution', data: { deviceId: 'd1', input: { n: 1 }, result: { ok: false } } },
    ])
  })

  test('of another kind is none of the events', async () => {
    const deps = fakeDeps(fakeExecutions())
    const app = await serve(deps)
    expect((await call(`${app.url}/leases`, { body: { more: 1 } })).status).toBe(400)
    expect(deps.journal().head()).toBe(0)
  })

  test('that repeats is told to those who listen each time, and recorded a few times', async () => {
    const deps = fakeDeps(fakeExecutions())
    const app = await serve(deps)
    const reader = await readEvents(`${app.url}/events`)
    for (let n = 0; n < REFUSALS_RECORDED.count + 4; n++) {
      await call(`${app.url}/execute`, { body: { execution: { n }, deviceId: 'd1' } })
    }
    await reader.have(1 + REFUSALS_RECORDED.count + 4)
    expect(reader.events.filter(({ event, id }) => event === 'svc:execution' && id !== undefined)).toHaveLength(
      REFUSALS_RECORDED.count,
    )
    expect(deps.journal().head()).toBe(REFUSALS_RECORDED.count)
    reader.close()
  })

  test('that the journal does not take is told once to those who listen now, without an id', async () => {
    const executions = fakeExecutions()
    const deps = fakeDeps(executions)
    const app = await serve(deps)
    const reader = await readEvents(`${app.url}/events`)
    await reader.have(1)
    deps.journal().append = () => Promise.reject(new JournalError('full', 'the disk is full'))
    executions.answer = () => refusedWith('DEVICE_NOT_FOUND')
    await call(`${app.url}/snapshot`, { body: { deviceId: 'd7' } })
    await reader.have(2)
    expect(reader.events[1]).toMatchObject({ event: 'svc:execution', data: { deviceId: 'd7' } })
    expect(reader.events[1]?.id).toBeUndefined()
    expect(app.notes).toEqual([expect.stringContaining('the disk is full')])
    reader.close()
  })

  test('that is damaged in the journal is told as a gap, and the others are told all the same', async () => {
    const path = join(folder(), 'journal.db')
    const clock = systemClock()
    const journal = openJournal({ path, alive: () => true, clock })
    const deps = fakeDeps(fakeExecutions(), { journal: () => journal })
    const app = await refused(deps, 4)
    await expect.poll(() => journal.head()).toBe(4)
    tamper(path, "UPDATE records SET fact = x'0001' WHERE seq = 2; UPDATE records SET body = x'7b7d' WHERE seq = 3")
    const reader = await readEvents(`${app.url}/events`, { 'Last-Event-ID': '0.1' })
    await reader.have(5)
    expect(reader.events.slice(1)).toMatchObject([
      { event: 'svc:execution', data: { deviceId: 'd0' } },
      { event: 'svc:gap', id: '2.1', data: { reason: 'records-missing', from: 2, to: 2 } },
      { event: 'svc:gap', id: '3.1', data: { reason: 'records-missing', from: 3, to: 3 } },
      { event: 'svc:execution', data: { deviceId: 'd3' } },
    ])
    await call(`${app.url}/execute`, { body: { execution: {}, deviceId: 'd9' } })
    await reader.have(6)
    expect(reader.events[5], 'the stream goes on').toMatchObject({ data: { deviceId: 'd9' } })
    reader.close()
    const resumed = await readEvents(`${app.url}/events`, { 'Last-Event-ID': '2.0' })
    await resumed.have(4)
    expect(resumed.events[3]).toMatchObject({ data: { deviceId: 'd9' } })
    resumed.close()
    journal.close()
  })
})
