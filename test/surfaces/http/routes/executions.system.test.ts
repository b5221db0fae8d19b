import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ReceiptsResponse } from '../../../../src/contracts/executions/receipt.ts'
import { EXECUTIONS_SEARCHED_MAX } from '../../../../src/contracts/limits/limits.ts'
import { JournalError } from '../../../../src/runtime/journal/fault.ts'
import { answerPieces } from '../../../../src/surfaces/http/stream-json.ts'
import { call, codeOf, openWire } from '../../../support/http/http-client.ts'
import { type FakeServer, startFake } from '../../../support/http/http-server.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { receiptOf, resultOf } from '../../../support/runtime/records.ts'
import { until, wait } from '../../../support/until.ts'

let fake: FakeServer
function* listOf(receipts: () => Iterable<unknown>) {
  for (const receipt of receipts()) yield JSON.stringify(receipt)
}
beforeAll(async () => {
  fake = await startFake()
  fake.executions.kept = [
    receiptOf('e2', { skillRunId: 'run-1', state: 'settled', settledAt: 2_000, result: resultOf('m') }),
    receiptOf('e1'),
  ]
})
afterAll(() => fake.server.close({ graceMs: 1_000 }))
beforeEach(() => {
  fake.executions.queries = []
})

const get = (path: string) => call(`${fake.url}${path}`)
const bare = (id: string) => fake.executions.kept.find(({ executionId }) => executionId === id) ?? receiptOf('')

describe('a list that is too large to be held', () => {
  const ROOM = 'x'.repeat(1_024 * 1_024)
  const COUNT = 60
  let made = 0
  function* large() {
    for (made = 0; made < COUNT; made++) yield receiptOf(`e${made}`, { commandId: ROOM })
  }

  test('is made as it is taken', async () => {
    const served = await startFake()
    served.executions.receipts = async () => large()
    const wire = openWire(served.port)
    wire.socket.once('data', () => wire.socket.pause())
    wire.socket.write('GET /executions?limit=1000 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    await until(() => made > 0, 'the first of it')
    await wait(300)
    // What the two sockets hold, and no more.
    expect(made).toBeLessThan(COUNT / 2)
    wire.socket.resume()
    await wire.closed
    expect(made).toBe(COUNT)
    expect(wire.received()).toContain(`],"count":${COUNT}}`)

    const { status, json } = await call(`${served.url}/executions`)
    expect([status, (json as ReceiptsResponse).executions.length]).toEqual([200, COUNT])
    expect((await call(`${served.url}/executions`, { method: 'HEAD' })).status).toBe(200)
    await served.server.close({ graceMs: 1_000 })
  })

  test('ends with the connection of a reader who has left, or takes nothing', async () => {
    for (const leaves of [true, false]) {
      const clock = manualClock()
      const response = answerPieces(listOf(large), clock, 50)
      const reader = response.body?.getReader()
      await reader?.read()
      if (leaves) await reader?.cancel()
      else clock.advance(50)
      const rest = reader?.read().then(({ done }) => done)
      if (leaves) expect(await rest).toBe(true)
      else await expect(rest).rejects.toThrow('takes no more')
      expect(made).toBeLessThan(5)
    }
  })
})

describe('a list by outcome', () => {
  const lost = { state: 'interrupted', dispatchedAt: 1, settledAt: 2, result: resultOf('lost') } as const
  const list = async ({ url }: FakeServer, query: string) => {
    const { json } = await call(`${url}/executions?${query}`)
    const { executions, ...rest } = json as ReceiptsResponse
    return { ...rest, ids: executions.map(({ executionId }) => executionId) }
  }

  test('is judged when it is read, and stands beside the other filters', async () => {
    const served = await startFake()
    const doubt = receiptOf('e2', lost)
    served.executions.kept = [receiptOf('e4'), doubt, receiptOf('e3', lost), receiptOf('e1', { state: 'settled' })]
    expect(await list(served, 'outcome=unknown')).toEqual({ ok: true, count: 3, ids: ['e4', 'e2', 'e3'] })
    expect(await list(served, 'outcome=unknown&limit=2&deviceId=d1&taskId=t')).toMatchObject({ ids: ['e4', 'e2'] })
    expect(served.executions.queries.at(-1)).toMatchObject({ deviceId: 'd1', taskId: 't' })
    expect(await list(served, 'outcome=not_sent')).toMatchObject({ ids: ['e1'] })
    doubt.evidence = { source: 'operator', at: 9, outcome: 'done' }
    expect(await list(served, 'outcome=unknown')).toMatchObject({ ids: ['e4', 'e3'] })
    expect(await list(served, 'outcome=done')).toEqual({ ok: true, count: 1, ids: ['e2'] })
    await served.server.close({ graceMs: 1_000 })
  })

  test('looks at so many, and says where there are more', async () => {
    const served = await startFake()
    let read = 0
    function* many() {
      for (; read < 10_000; read++) yield receiptOf(`e${read}`, read < EXECUTIONS_SEARCHED_MAX ? {} : lost)
    }
    served.executions.receipts = async () => many()
    expect(await list(served, 'outcome=done')).toEqual({ ok: true, count: 0, older: true, ids: [] })
    expect(read).toBe(EXECUTIONS_SEARCHED_MAX)
    served.executions.receipts = async () => [receiptOf('e1'), receiptOf('e2')]
    expect(await list(served, 'outcome=unknown&limit=1')).toEqual({ ok: true, count: 1, ids: ['e1'] })
    await served.server.close({ graceMs: 1_000 })
  })
})

describe('the list', () => {
  test('has the documented shape', async () => {
    const { status, json } = await get('/executions')
    expect(status).toBe(200)
    expect(json).toEqual({
      ok: true,
      executions: [
        { ...bare('e2'), outcome: 'not_sent' },
        { ...bare('e1'), outcome: 'unknown' },
      ],
      count: 2,
    })
  })

  test('is asked for as the query says', async () => {
    await get('/executions?deviceId=d%201&commandId=c+2&skillRunId=&limit=7')
    await get('/executions?deviceId=%20')
    expect(fake.executions.queries).toEqual([
      { deviceId: 'd 1', commandId: 'c 2', skillRunId: '', limit: 7 },
      { limit: 50 },
    ])
  })

  test('names the outcomes that there are', async () => {
    const { json } = await get('/executions?outcome=maybe')
    expect(json).toMatchObject({
      error: {
        message: expect.stringContaining('must be one of done, failed, not_sent, unknown'),
        details: expect.anything(),
      },
    })
  })

  test.each([
    'deviceId=a&deviceId=b',
    'x=1&x=2',
    'limit=0',
    'limit=%31&limit=2',
    'outcome=',
    'outcome=done&outcome=failed',
  ])('%s is INVALID_QUERY', async query => {
    const answer = await get(`/executions?${query}`)
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_QUERY'])
    expect(fake.executions.queries).toEqual([])
  })

  test.each([
    ['/executions?device=d', 'device', 'deviceId'],
    ['/executions?__proto__=1&constructor=2&toString=3', '__proto__', undefined],
    ['/executions/e2?limit=1', 'limit', undefined],
    ['/devices?deviceId=d', 'deviceId', undefined],
    ['/actors/events?scop=host', 'scop', 'scope'],
    ['/events?after=1', 'after', undefined],
  ])('a parameter that the request does not have is refused: %s', async (path, parameter, meant) => {
    const { status, json } = await get(path)
    const { error } = json as { error: Record<string, unknown> }
    expect([status, error.code]).toEqual([400, 'INVALID_QUERY'])
    expect(error.details).toMatchObject({ parameter, allowed: expect.any(Array) })
    expect(error.message).toContain(JSON.stringify(parameter))
    if (meant !== undefined) expect(error.message).toContain(`did you mean "${meant}"?`)
  })
})

test('one of them', async () => {
  expect(await get('/executions/e2')).toMatchObject({ status: 200, json: { ok: true, execution: bare('e2') } })
  const missing = await get('/executions/nobody')
  expect([missing.status, codeOf(missing)]).toEqual([404, 'EXECUTION_NOT_FOUND'])
})

describe('cancelling', () => {
  const cancel = (id: string) => call(`${fake.url}/executions/${id}`, { method: 'DELETE' })

  test('what runs, and what is over already, is answered with its receipt', async () => {
    for (const kind of ['cancelled', 'settled'] as const) {
      fake.executions.answerCancel = () => ({ kind, receipt: receiptOf('e2', { skillRunId: 'x' }) })
      expect(await cancel('e2')).toMatchObject({ status: 200, json: { ok: true, execution: receiptOf('e2') } })
    }
  })

  test('a journal that fails says so; what nobody foresaw says nothing', async () => {
    fake.executions.answerCancel = () => {
      throw new JournalError('read-only', 'no')
    }
    expect(await cancel('e2')).toMatchObject({
      status: 500,
      json: { error: { code: 'JOURNAL_UNAVAILABLE', details: { reason: 'read-only' }, hint: expect.any(String) } },
    })
    fake.executions.answerCancel = () => {
      throw new Error('secret')
    }
    const answer = await cancel('e2')
    expect([answer.status, codeOf(answer)]).toEqual([500, 'INTERNAL_SERVER_ERROR'])
    expect(answer.text).not.toContain('secret')
    expect(fake.notes.join()).toContain('secret')
    fake.executions.answerCancel = () => {
      throw undefined
    }
    const odd = await cancel('e2')
    expect([odd.status, codeOf(odd)]).toEqual([500, 'INTERNAL_SERVER_ERROR'])
  })
})

describe('a wait for the outcome', () => {
  afterEach(() => {
    fake.executions.decided = async receipt => ({ receipt })
  })

  test('is asked for as the query says, and the answer tells what was found', async () => {
    const waits: unknown[] = []
    fake.executions.decided = async (receipt, { waitMs }) => {
      waits.push(waitMs)
      return { receipt, undecided: 'nobody can be asked' }
    }
    expect((await get('/executions/e2?waitMs=120000')).json).toMatchObject({
      execution: { executionId: 'e2', undecided: 'nobody can be asked' },
    })
    await get('/executions/e2')
    expect(waits).toEqual([120_000, undefined])
  })

  test.each(['soon', '120001'])('of %s is refused', async waitMs => {
    const answer = await get(`/executions/e2?waitMs=${waitMs}`)
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_QUERY'])
  })

  test('ends with the connection of a caller who has left', async () => {
    let hasLeft = false
    let isAsked = false
    fake.executions.decided = async (receipt, { signal }) => {
      isAsked = true
      await new Promise(resolve => signal?.addEventListener('abort', resolve))
      hasLeft = true
      return { receipt }
    }
    const wire = openWire(fake.port)
    wire.socket.write('GET /executions/e2?waitMs=100000 HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await until(() => isAsked, 'the question')
    wire.socket.destroy()
    await until(() => hasLeft, 'the end of the wait')
  })
})

describe('POST /executions/:id/resume', () => {
  const post = (body?: object) =>
    call(`${fake.url}/executions/e1/resume`, {
      method: 'POST',
      ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
    })
  const execution = {
    commandId: 'c',
    taskId: 't',
    source: 's',
    expectedFormat: 'android-ui-automator',
    timeoutMs: 5_000,
    actions: [{ id: 'tap', type: 'press_key', params: { key: 'back' } }],
  } as const
  const screenshots = { relativeTo: '/their', newFilesIn: '/their/shots' }
  const asked: unknown[] = []

  beforeEach(() => {
    asked.length = 0
    fake.executions.requests = []
    fake.executions.answerResumption = (_, change) => {
      asked.push(change)
      const order = { execution: { ...execution, actions: [...execution.actions] }, deviceId: 'd7', screenshots }
      return { ok: true, order: { ...order, operatorPackage: 'svc.shell', resumes: 'e1' }, executedSteps: [] }
    }
  })

  test('runs what is left where it ran before, and needs no body', async () => {
    const { status, json, headers } = await post()
    expect([status, asked]).toEqual([200, [{}]])
    expect(json).toMatchObject({ ok: true, envelope: { stepResults: [{ id: 'tap' }] } })
    expect(headers['svc-execution-id']).toBeDefined()
    expect(fake.executions.requests).toMatchObject([
      { deviceId: 'd7', operatorPackage: 'svc.shell', resumes: 'e1', screenshots, listener: 'serve:test' },
    ])
  })

  test('or where the caller says', async () => {
    await post({ deviceId: 'd8', operatorPackage: 'com.other', fromStep: 'tap', timeoutMs: 9_000 })
    expect(fake.executions.requests).toMatchObject([{ deviceId: 'd8', operatorPackage: 'com.other' }])
    expect(asked).toEqual([{ fromStep: 'tap', timeoutMs: 9_000 }])
  })

  test('a doubt is 409, and nothing runs', async () => {
    fake.executions.answerResumption = () => ({
      ok: false,
      error: { code: 'RESUME_IN_DOUBT', message: 'Maybe.', details: { step: 'tap' } },
    })
    const { status, json } = await post({})
    expect([status, json]).toMatchObject([
      409,
      { ok: false, error: { code: 'RESUME_IN_DOUBT', details: { step: 'tap' } } },
    ])
    expect([(await post({ fromStep: 7 })).status, (await post({ deviceId: 7 })).status]).toEqual([400, 400])
    expect((await post({ timeoutMs: 7 })).status).toBe(400)
    expect(fake.executions.requests).toEqual([])
  })
})
