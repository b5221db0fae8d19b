/** The contract's HTTP sections row by row, on a real port, with simulated devices behind it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ResultEnvelope } from '../../../src/contracts/executions/execution-result.ts'
import { type LabExecution, type LabOptions, payloadOf } from '../../support/executions/lab.ts'
import { type Answer, call, codeOf, readEvents } from '../../support/http/http-client.ts'
import { type HttpLab, startHttpLab } from '../../support/http/http-server.ts'
import { until } from '../../support/until.ts'

const snap = { id: 'a', type: 'snapshot' }
const slow = { id: 'z', type: 'sleep', params: { durationMs: 1_500 } }

const withLab = async (options: LabOptions, run: (lab: HttpLab) => Promise<void>) => {
  const lab = await startHttpLab(options)
  try {
    await run(lab)
  } finally {
    await lab.close()
  }
}

const executeOn = (
  lab: HttpLab,
  actions: readonly unknown[],
  more: LabExecution & { headers?: Record<string, string> } = {},
) => {
  const { headers = {}, deviceId, operatorPackage, ...payload } = more
  const target = {
    ...(deviceId === undefined ? {} : { deviceId }),
    ...(operatorPackage === undefined ? {} : { operatorPackage }),
  }
  return call(`${lab.url}/execute`, { body: { execution: payloadOf(actions, payload), ...target }, headers })
}

const envelopeOf = ({ json }: Answer) => (json as { envelope: ResultEnvelope }).envelope
const errorOf = ({ json }: Answer) => (json as { error: { code: string; details: Record<string, unknown> } }).error
const seen = (lab: HttpLab, device = 0) => lab.lab.fleet.devices[device]?.phone.executions() ?? []

describe('with one device', () => {
  let lab: HttpLab
  beforeAll(async () => {
    lab = await startHttpLab()
  })
  afterAll(() => lab.close())

  test('GET /devices', async () => {
    const { status, json } = await call(`${lab.url}/devices`)
    expect(status).toBe(200)
    expect(json).toEqual({ ok: true, devices: [{ serial: lab.serials[0], deviceId: lab.serials[0], state: 'device' }] })
  })

  test('POST /execute: the success conditions', async () => {
    const open = { id: 'open', type: 'open_app', params: { applicationId: 'com.android.settings' } }
    const answer = await executeOn(lab, [open, snap])
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({
      ok: true,
      deviceId: lab.serials[0],
      terminalSource: 'svc_result',
      operatorPackage: 'com.svc.operator',
      envelope: {
        commandId: 'c1',
        taskId: 't1',
        status: 'success',
        stepResults: [
          { id: 'open', actionType: 'open_app', success: true, data: { application_id: 'com.android.settings' } },
          {
            id: 'a',
            actionType: 'snapshot',
            success: true,
            data: { text: expect.stringContaining('<hierarchy'), foreground_package: 'com.android.settings' },
          },
        ],
        error: null,
      },
    })
  })

  test('POST /execute: a failed envelope inside ok: true', async () => {
    const answer = await executeOn(lab, [
      { id: 'x', type: 'click', params: { matcher: { textEquals: 'nowhere' } } },
      snap,
    ])
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({
      ok: true,
      envelope: {
        status: 'failed',
        errorCode: 'NODE_NOT_FOUND',
        stepResults: [{ id: 'x', success: false, data: { error: 'NODE_NOT_FOUND' } }],
      },
    })
  })

  test('POST /snapshot: {} is valid; the synthetic ids come back', async () => {
    const answer = await call(`${lab.url}/snapshot`, { body: {} })
    expect(answer.status).toBe(200)
    const { commandId, taskId, status, stepResults } = envelopeOf(answer)
    expect([commandId, taskId]).toEqual([expect.stringMatching(/^serve-snap-\d+$/), commandId])
    expect([status, stepResults.map(({ id, actionType }) => [id, actionType])]).toEqual([
      'success',
      [['snap', 'snapshot']],
    ])
    expect(stepResults[0]?.data.text).toMatch(/^<\?xml/)
  })

  test('POST /screenshot: a new file, a named one, a relative one', async () => {
    const take = async (body: object) => envelopeOf(await call(`${lab.url}/screenshot`, { body })).stepResults[0]
    const fresh = await take({})
    expect(fresh).toMatchObject({ id: 'shot', actionType: 'take_screenshot', success: true })
    expect(fresh?.data.path).toMatch(/\/screenshots\//)
    const named = join(lab.lab.home, 'named.png')
    expect((await take({ path: named }))?.data).toEqual({ path: named })
    expect((await take({ path: 'relative.png' }))?.data).toEqual({ path: join(lab.lab.home, 'relative.png') })
    for (const path of [fresh?.data.path ?? '', named, join(lab.lab.home, 'relative.png')]) {
      expect(readFileSync(path).subarray(1, 4).toString()).toBe('PNG')
    }
  })

  test('POST /screenshot: a path that may not be written, and nothing reaches the device', async () => {
    const before = seen(lab).length
    for (const path of ['/etc/hostname', '/nowhere/x.png', ' ']) {
      const answer = await call(`${lab.url}/screenshot`, { body: { path } })
      expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_PATH'])
    }
    const answer = await executeOn(lab, [snap, { id: 's', type: 'take_screenshot', params: { path: '/etc/hostname' } }])
    expect([answer.status, codeOf(answer)]).toEqual([400, 'EXECUTION_VALIDATION_FAILED'])
    expect(seen(lab)).toHaveLength(before)
    expect(existsSync('/nowhere')).toBe(false)
  })

  test('DEVICE_NOT_FOUND, 404, with the connected ones', async () => {
    const answer = await executeOn(lab, [snap], { deviceId: 'nobody' })
    expect([answer.status, errorOf(answer)]).toMatchObject([
      404,
      { code: 'DEVICE_NOT_FOUND', details: { connected: lab.serials } },
    ])
    expect(answer.headers['svc-execution-id']).toBeUndefined()
  })

  test('EXECUTION_CONFLICT_IN_FLIGHT, 423, with the holder', async () => {
    const first = executeOn(lab, [slow], { commandId: 'first' })
    await until(() => [...lab.deps.journal().receipts({ commandId: 'first' })].length === 1, 'the first to be accepted')
    const second = await executeOn(lab, [snap], { commandId: 'second' })
    expect([second.status, errorOf(second)]).toMatchObject([
      423,
      {
        code: 'EXECUTION_CONFLICT_IN_FLIGHT',
        details: {
          deviceId: lab.serials[0],
          holder: { pid: process.pid, commandId: 'first', executionId: expect.any(String), since: expect.any(Number) },
        },
      },
    ])
    const done = await first
    expect(done.status).toBe(200)
    expect((errorOf(second).details.holder as { executionId: string }).executionId).toBe(
      done.headers['svc-execution-id'],
    )
    expect((await executeOn(lab, [snap])).status).toBe(200)
  })

  test('the same commandId twice is two executions', async () => {
    const answers = [
      await executeOn(lab, [snap], { commandId: 'same' }),
      await executeOn(lab, [snap], { commandId: 'same' }),
    ]
    expect(new Set(answers.map(({ headers }) => headers['svc-execution-id'])).size).toBe(2)
    const listed = await call(`${lab.url}/executions?commandId=same`)
    expect(listed.json).toMatchObject({
      ok: true,
      count: 2,
      executions: [{ commandId: 'same' }, { commandId: 'same' }],
    })
  })

  test('a receipt', async () => {
    const answer = await executeOn(lab, [snap], { commandId: 'receipt' })
    const id = answer.headers['svc-execution-id']
    const { json } = await call(`${lab.url}/executions/${id}`)
    expect(json).toEqual({
      ok: true,
      execution: {
        executionId: id,
        commandId: 'receipt',
        taskId: 't1',
        deviceId: lab.serials[0],
        operatorPackage: 'com.svc.operator',
        state: 'settled',
        acceptedAt: expect.any(Number),
        dispatchedAt: expect.any(Number),
        settledAt: expect.any(Number),
        result: answer.json,
        outcome: 'done',
        actions: [{ id: snap.id, type: 'snapshot', title: 'Take a snapshot' }],
        steps: [{ id: snap.id, actionType: 'snapshot', outcome: 'done', source: 'result' }],
      },
    })
    expect((await call(`${lab.url}/executions?limit=1`)).json).toMatchObject({
      count: 1,
      executions: [{ executionId: id }],
    })
  })

  test('cancelling: the caller hears it, the receipt and the events say it', async () => {
    const reader = await readEvents(`${lab.url}/events`)
    const running = executeOn(lab, [slow], { commandId: 'to-cancel' })
    await until(
      () => [...lab.deps.journal().receipts({ commandId: 'to-cancel' })][0]?.state === 'dispatched',
      'the dispatch',
    )
    const id = [...lab.deps.journal().receipts({ commandId: 'to-cancel' })][0]?.executionId
    const cancelled = await call(`${lab.url}/executions/${id}`, { method: 'DELETE' })
    expect(cancelled.json).toMatchObject({
      ok: true,
      execution: { executionId: id, state: 'settled', result: { error: { code: 'EXECUTION_CANCELLED' } } },
    })
    const answer = await running
    expect([answer.status, errorOf(answer).code, answer.headers['svc-execution-id']]).toEqual([
      500,
      'EXECUTION_CANCELLED',
      id,
    ])
    expect(errorOf(answer).details).toMatchObject({ executionId: id })
    await reader.have(2)
    expect(reader.events[1]).toMatchObject({
      event: 'svc:execution',
      data: { result: { ok: false, error: { code: 'EXECUTION_CANCELLED' } } },
    })
    reader.close()
    await until(() => lab.deps.journal().leases.list().length === 0, 'the device to be free again', 20_000)
    expect((await call(`${lab.url}/executions/${id}`, { method: 'DELETE' })).status).toBe(200)
    expect((await executeOn(lab, [snap])).status).toBe(200)
  })

  test('Idempotency-Key: run once, answered twice; another payload is refused', async () => {
    const headers = { 'Idempotency-Key': 'once-only' }
    const before = seen(lab).length
    const [one, two] = await Promise.all([executeOn(lab, [snap], { headers }), executeOn(lab, [snap], { headers })])
    const three = await executeOn(lab, [snap], { headers })
    expect([one.status, two.status, three.status]).toEqual([200, 200, 200])
    expect(new Set([one, two, three].map(answer => answer.headers['svc-execution-id'])).size).toBe(1)
    expect([two.text, three.text]).toEqual([one.text, one.text])
    expect(seen(lab)).toHaveLength(before + 1)
    const other = await executeOn(lab, [snap, snap], { headers })
    expect([other.status, codeOf(other)]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
  })

  test('a caller who leaves cancels nothing', async () => {
    const left = new AbortController()
    const body = JSON.stringify({ execution: payloadOf([slow, snap], { commandId: 'left-alone' }) })
    const asked = fetch(`${lab.url}/execute`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
      signal: left.signal,
    })
    const failed = expect(asked).rejects.toThrow()
    const find = () => [...lab.deps.journal().receipts({ commandId: 'left-alone' })][0]
    await until(() => find()?.state === 'dispatched', 'the dispatch')
    left.abort()
    await failed
    await until(() => find()?.state === 'settled', 'its end', 20_000)
    expect(find()?.result).toMatchObject({ ok: true, envelope: { status: 'success' } })
  })

  test('GET /events: the three events, and a replay across a restart', async () => {
    const reader = await readEvents(`${lab.url}/events`)
    const ok = await call(`${lab.url}/snapshot`, { body: {} })
    const invalid = await executeOn(lab, [{ id: 'a', type: 'nonsense' }], { deviceId: lab.serials[0] ?? '' })
    const other = await executeOn(lab, [snap], { deviceId: 'nobody' })
    await reader.have(5)
    expect(reader.events.map(({ event }) => event)).toEqual([
      'heartbeat',
      'svc:result',
      'svc:execution',
      'svc:execution',
      'svc:execution',
    ])
    expect(reader.events[1]?.data).toEqual({ deviceId: lab.serials[0], envelope: envelopeOf(ok) })
    expect(reader.events[2]?.data).toEqual({
      deviceId: lab.serials[0],
      input: expect.objectContaining({ source: 'serve-api', actions: [{ id: 'snap', type: 'snapshot' }] }),
      result: ok.json,
    })
    expect(reader.events[3]?.data).toMatchObject({ deviceId: lab.serials[0], result: invalid.json })
    expect(reader.events[4]?.data).toMatchObject({ deviceId: 'nobody', result: other.json })

    const again = await lab.restart()
    for (const from of [0, 1, 2]) {
      const replayed = await readEvents(`${again.url}/events`, { 'Last-Event-ID': reader.events[from]?.id ?? '' })
      await replayed.have(5 - from)
      expect(replayed.events.slice(1)).toEqual(reader.events.slice(from + 1))
      replayed.close()
    }
    reader.close()
  })

  test('the actors: what each has been through, while it happens', async () => {
    const id = `device:${lab.serials[0]}`
    const reader = await readEvents(`${lab.url}/actors/events?actor=${encodeURIComponent(id)}`)
    await call(`${lab.url}/snapshot`, { body: {} })
    await reader.have(3)
    expect(reader.events.map(({ data }) => (data as { event: string }).event)).toEqual([
      'execution.requested',
      'execution.dispatched',
      'execution.settled',
    ])
    const { json } = await call(`${lab.url}/actors/${id}/history`)
    const { events } = json as { events: { seq: number; type: string }[] }
    expect(events.slice(-3).map(({ seq }) => `${seq}`)).toEqual(reader.events.map(event => event.id))
    expect(events[0]?.type).toBe('actor.created')
    const actors = (await call(`${lab.url}/actors`)).json as { actors: { id: string; state: string }[] }
    expect(actors.actors).toMatchObject([{ id, machine: 'device', state: 'idle' }])
    reader.close()
  })

  test('ids and labels of all kinds are looked for, and nothing breaks', async () => {
    for (const id of ['%00', 'a%00b', '%27%20OR%201=1', '%F0%9F%98%80', '..%2f..', 'x'.repeat(4_000)]) {
      expect((await call(`${lab.url}/executions/${id}`)).status).toBe(404)
      expect((await call(`${lab.url}/executions/${id}`, { method: 'DELETE' })).status).toBe(404)
      expect((await call(`${lab.url}/actors/${id}`)).status).toBe(404)
      expect((await call(`${lab.url}/executions?commandId=${id}`)).json).toEqual({ ok: true, executions: [], count: 0 })
    }
  })

  test('nothing was noted for the log in all of this', () => {
    expect([...lab.notes, ...lab.lab.notes]).toEqual([])
  })
})

describe.concurrent('other devices', () => {
  test('none: NO_DEVICES, 404', async () => {
    await withLab({ state: 'unauthorized' }, async lab => {
      const answer = await call(`${lab.url}/snapshot`, { body: {} })
      expect([answer.status, codeOf(answer)]).toEqual([404, 'NO_DEVICES'])
      const named = await call(`${lab.url}/snapshot`, { body: { deviceId: lab.serials[0] } })
      expect([named.status, codeOf(named)]).toEqual([409, 'DEVICE_UNAUTHORIZED'])
      expect((await call(`${lab.url}/devices`)).json).toEqual({
        ok: true,
        devices: [{ serial: lab.serials[0], deviceId: lab.serials[0], state: 'unauthorized' }],
      })
    })
  })

  test('two: MULTIPLE_DEVICES_DEVICE_ID_REQUIRED, 400; named, they do not wait for each other', async () => {
    await withLab({ count: 2 }, async lab => {
      const answer = await call(`${lab.url}/snapshot`, { body: { deviceId: '' } })
      expect([answer.status, errorOf(answer)]).toMatchObject([
        400,
        { code: 'MULTIPLE_DEVICES_DEVICE_ID_REQUIRED', details: { connected: lab.serials } },
      ])
      const [first = '', second = ''] = lab.serials
      let isOver = false
      const held = executeOn(lab, [slow], { deviceId: first }).then(done => {
        isOver = true
        return done
      })
      await until(() => lab.deps.journal().leases.list().length === 1, 'the first to be held')
      expect((await executeOn(lab, [snap], { deviceId: second })).status).toBe(200)
      expect(isOver).toBe(false)
      expect((await held).status).toBe(200)
    })
  })

  test('locked: DEVICE_NOT_INTERACTIVE, 409, told to those who listen', async () => {
    await withLab({ state: 'locked' }, async lab => {
      const reader = await readEvents(`${lab.url}/events`)
      const answer = await call(`${lab.url}/snapshot`, { body: {} })
      expect([answer.status, codeOf(answer)]).toEqual([409, 'DEVICE_NOT_INTERACTIVE'])
      await reader.have(2)
      expect(reader.events[1]).toMatchObject({
        event: 'svc:execution',
        data: { deviceId: lab.serials[0], result: answer.json },
      })
      reader.close()
    })
  })

  test('no operator: OPERATOR_NOT_INSTALLED, 500, accepted and never dispatched', async () => {
    await withLab({ state: 'no-operator' }, async lab => {
      const answer = await call(`${lab.url}/snapshot`, { body: {} })
      expect([answer.status, codeOf(answer)]).toEqual([500, 'OPERATOR_NOT_INSTALLED'])
      const id = answer.headers['svc-execution-id']
      expect(errorOf(answer).details).toMatchObject({ executionId: id })
      const { json } = await call(`${lab.url}/executions/${id}`)
      expect(json).toMatchObject({ execution: { state: 'settled', result: answer.json } })
      expect((json as { execution: object }).execution).not.toHaveProperty('dispatchedAt')
    })
  })

  test('another operator: the one that is named', async () => {
    await withLab({ operator: 'none' }, async lab => {
      const answer = await executeOn(lab, [snap], { operatorPackage: 'svc.shell' })
      expect([answer.status, envelopeOf(answer).status]).toEqual([200, 'success'])
    })
  })

  test('no result: RESULT_ENVELOPE_TIMEOUT, 504', async () => {
    await withLab({ faults: [{ after: 0, do: 'no-result', times: 1 }] }, async lab => {
      const answer = await executeOn(lab, [snap], { timeoutMs: 1_000 })
      expect([answer.status, errorOf(answer)]).toMatchObject([
        504,
        { code: 'RESULT_ENVELOPE_TIMEOUT', details: { executionId: answer.headers['svc-execution-id'] } },
      ])
    })
  })

  test('a lost link: DEVICE_LINK_LOST, 503, and whether the request was out', async () => {
    await withLab({ faults: [{ after: 1, do: 'device-gone', times: 1 }] }, async lab => {
      await call(`${lab.url}/snapshot`, { body: {} })
      const answer = await executeOn(lab, [snap], { timeoutMs: 4_000 })
      expect([answer.status, errorOf(answer)]).toMatchObject([
        503,
        { code: 'DEVICE_LINK_LOST', details: { dispatched: true } },
      ])
    })
  })
})
