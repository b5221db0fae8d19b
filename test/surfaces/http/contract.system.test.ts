/** The contract's HTTP sections row by row, on a real port, with simulated devices behind it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ResultEnvelope } from '../../../src/contracts/executions/execution-result.ts'
import { type LabExecution, payloadOf } from '../../support/executions/lab.ts'
import { type Answer, call, readEvents } from '../../support/http/http-client.ts'
import { type HttpLab, startHttpLab } from '../../support/http/http-server.ts'
import { until } from '../../support/until.ts'

const snap = { id: 'a', type: 'snapshot' }
const slow = { id: 'z', type: 'sleep', params: { durationMs: 1_500 } }

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

describe('with one device', () => {
  let lab: HttpLab
  beforeAll(async () => {
    lab = await startHttpLab()
  })
  afterAll(() => lab.close())

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

test('two devices do not wait for each other', async () => {
  const lab = await startHttpLab({ count: 2 })
  try {
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
  } finally {
    await lab.close()
  }
})
