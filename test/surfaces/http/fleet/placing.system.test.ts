/** Which phone of a fleet takes a request, over each door of a host: HTTP and the tools at /mcp. */

import { describe, expect, onTestFinished, test } from 'vitest'
import type { Fleet } from '../../../../src/fleet/fleet.ts'
import { refusedWith } from '../../../support/executions/fake-executions.ts'
import { payloadOf } from '../../../support/executions/lab.ts'
import { DEVICE_CONFLICT } from '../../../support/failure-codes.ts'
import { answered, type FakeFleet, type FakeFleetOptions, fakeFleet, rowOf } from '../../../support/fleet/fake-fleet.ts'
import { call } from '../../../support/http/http-client.ts'
import { type FakeServer, startFake } from '../../../support/http/http-server.ts'
import { connectHttp } from '../../../support/mcp-client.ts'

const execution = payloadOf([{ id: 'a', type: 'snapshot' }], { commandId: 'c' })
const busy = answered(423, { ok: false, error: { code: DEVICE_CONFLICT, message: 'It is busy.' } })
const ran = (deviceId: string) =>
  answered(
    200,
    {
      ok: true,
      deviceId,
      terminalSource: 'svc_result',
      envelope: { commandId: 'c', taskId: 't', status: 'success', stepResults: [], error: null },
    },
    { 'svc-execution-id': 'e-there' },
  )

const start = async (fleet: FakeFleetOptions): Promise<FakeServer & { front: FakeFleet }> => {
  const front = fakeFleet(fleet)
  const server = await startFake({ fleet: front as Fleet })
  onTestFinished(() => server.server.close({ graceMs: 0 }))
  return { ...server, front }
}

interface Said {
  code: string
  deviceId?: string | undefined
}

type Door = (url: string, deviceId: string) => Promise<Said>

const overHttp: Door = async (url, deviceId) => {
  const { json } = await call(`${url}/execute`, { body: { execution, deviceId } })
  const { error, deviceId: there } = json as { error?: { code: string }; deviceId?: string }
  return { code: error?.code ?? 'ok', deviceId: there }
}

const overMcp: Door = async (url, device) => {
  const mcp = await connectHttp(url, 'modern')
  const { isError, structured } = await mcp.call('execute', { execution, device })
  await mcp.close()
  return { code: isError ? String(structured.code) : 'ok', deviceId: structured.deviceId as string | undefined }
}

const ids = (front: FakeFleet) =>
  front.sent.flatMap(({ host, path, body }) =>
    path === '/execute' ? [`${JSON.parse(Buffer.from(body).toString()).deviceId}@${host}`] : [],
  )

describe.each([
  ['HTTP', overHttp],
  ['MCP', overMcp],
])('any: over %s', (door, ask) => {
  test('goes on from busy phones of the asked host, and of others, to the first that is free', async () => {
    const rows = [rowOf('s1@self'), rowOf('s2@self'), rowOf('s3@other'), rowOf('s4@other')]
    const { executions, front, url } = await start({
      rows,
      forward: ({ body }) => (Buffer.from(body).includes('"s4"') ? ran('s4') : busy),
    })
    executions.answer = () => refusedWith(DEVICE_CONFLICT)
    expect(await ask(url, 'any')).toEqual({ code: 'ok', deviceId: door === 'MCP' ? 's4@other' : 's4' })
    expect(executions.requests.map(({ deviceId }) => deviceId).sort()).toEqual(['s1', 's2'])
    expect(ids(front).sort()).toEqual(['s3@other', 's4@other'])
  })

  test.each([
    ['gone', { kind: 'not sent' as const, reason: 'absent' as const }],
    [
      'not a member any more',
      answered(503, { ok: false, error: { code: 'FLEET_HOST_GONE', message: 'No.', details: { dispatched: false } } }),
    ],
    ['unplugged', answered(404, { ok: false, error: { code: 'DEVICE_NOT_FOUND', message: 'No.' } })],
  ])('goes on from a phone that is %s', async (_what, refused) => {
    const rows = [rowOf('a1@other'), rowOf('s1@self')]
    const { front, url } = await start({ rows, forward: () => refused })
    expect(await ask(url, 'any')).toEqual({ code: 'ok', deviceId: 's1' })
    expect(ids(front)).toEqual(['a1@other'])
  })

  test('stays where something may have been done', async () => {
    const rows = [rowOf('a1@other'), rowOf('s1@self')]
    const { executions, url } = await start({ rows, forward: () => ({ kind: 'unknown', accepted: true }) })
    expect((await ask(url, 'any')).code).toBe('FLEET_HOST_GONE')
    expect(executions.requests).toEqual([])
  })

  test('stays with an answer that another phone would give as well', async () => {
    const rows = [rowOf('a1@other'), rowOf('s1@self')]
    const refused = answered(403, { ok: false, error: { code: 'POLICY_DENIED', message: 'No.' } })
    const { executions, url } = await start({ rows, forward: () => refused })
    expect((await ask(url, 'any')).code).toBe('POLICY_DENIED')
    expect(executions.requests).toEqual([])
  })

  test('says that all are busy', async () => {
    const { executions, url } = await start({ rows: [rowOf('s1@self'), rowOf('s2@other')], forward: () => busy })
    executions.answer = () => refusedWith(DEVICE_CONFLICT)
    expect((await ask(url, 'any')).code).toBe(DEVICE_CONFLICT)
  })

  test.each(['any', 'any:host=self', 's1@other', 's1@never-seen'])(
    '%s of a host that is cut off is FLEET_UNREACHABLE',
    async id => {
      const rows = [rowOf('s1@self'), rowOf('s1@other', { isAlive: false })]
      const { executions, url } = await start({ rows, isUp: false })
      expect((await ask(url, id)).code).toBe('FLEET_UNREACHABLE')
      expect(executions.requests).toEqual([])
    },
  )

  test.each(['d1', 'd1@self'])('%s works at a host that does not know its own phones yet', async id => {
    const { url } = await start({ rows: [], isUp: false })
    expect(await ask(url, id)).toEqual({ code: 'ok', deviceId: 'd1' })
  })
})

describe('a stranger who waits', () => {
  const waiting = async (withinMs: number) => {
    const { front, url } = await start({ rows: [rowOf('s1@other')], forward: () => ran('s1') })
    const headers = { 'svc-answer-within': String(withinMs) }
    const { status, json } = await call(`${url}/execute`, { body: { execution, deviceId: 's1@other' }, headers })
    return { status, json, waits: front.sent.map(sent => sent.withinMs) }
  }

  test('less than the execution may take is refused, and no other host is asked', async () => {
    expect(await waiting(execution.timeoutMs - 1)).toMatchObject({
      status: 400,
      json: { error: { code: 'INVALID_BODY' } },
      waits: [],
    })
  })

  test('just as long gets its answer: the other host has the time that the execution may take', async () => {
    const { status, waits } = await waiting(execution.timeoutMs)
    expect(status).toBe(200)
    expect(waits[0]).toBeGreaterThan(execution.timeoutMs)
  })
})

describe('any: with an Idempotency-Key', () => {
  const keyed = (url: string, key: string) =>
    call(`${url}/execute`, { body: { execution, deviceId: 'any' }, headers: { 'Idempotency-Key': key } })
  const receipts = (state: string) => answered(200, { ok: true, executions: [{ state }], count: 1 })

  test('looks for a phone that is free before it takes the key, and asks that one alone', async () => {
    const rows = ['a1@other', 'a2@other', 'a3@other', 's1@self'].map(id => rowOf(id, { isBusy: id.endsWith('self') }))
    const { front, url } = await start({
      rows,
      forward({ method, path }) {
        if (method === 'POST') return ran('a3')
        return receipts(path.includes('a3') ? 'settled' : 'dispatched')
      },
    })
    const { json } = await keyed(url, 'k')
    expect(json).toMatchObject({ ok: true, deviceId: 'a3' })
    expect(ids(front)).toEqual(['a3@other'])
    expect(front.keys.get('k')).toMatchObject({ host: 'other', serial: 'a3' })
  })

  test('goes to no second phone once it was sent, and gives the key back where that one was busy', async () => {
    const rows = [rowOf('a1@other'), rowOf('a2@other')]
    const { front, url } = await start({
      rows,
      forward: ({ method }) => (method === 'POST' ? busy : receipts('settled')),
    })
    expect((await keyed(url, 'k')).status).toBe(423)
    expect(ids(front)).toHaveLength(1)
    expect(front.keys.size).toBe(0)
  })

  test('two requests at once take two phones', async () => {
    const rows = [rowOf('a1@other'), rowOf('a2@other')]
    let arrived = 0
    let both = () => {}
    const met = new Promise<void>(resolve => {
      both = resolve
    })
    const { front, url } = await start({
      rows,
      async forward({ method }) {
        if (method !== 'POST') return receipts('settled')
        if (++arrived === 2) both()
        await met
        return ran('a')
      },
    })
    await Promise.all([keyed(url, 'k1'), keyed(url, 'k2')])
    expect(ids(front).sort()).toEqual(['a1@other', 'a2@other'])
  })
})

describe('an Idempotency-Key whose host does not answer', () => {
  const keyed = (url: string, deviceId: string) =>
    call(`${url}/execute`, { body: { execution, deviceId }, headers: { 'Idempotency-Key': 'k' } })

  test.each([
    ['was told to have been sent to the device', { dispatchedAt: 2 }, true],
    ['was told to be accepted', {}, 'unknown'],
  ])('names the first execution, which %s', async (_what, more, dispatched) => {
    const rows = [rowOf('s1@self'), rowOf('s1@other')]
    const { front, url } = await start({ rows, forward: () => ({ kind: 'unknown', accepted: true }) })
    const told: string[] = []
    front.mirrored = async executionId => {
      if (executionId !== front.sent[0]?.executionId) return undefined
      told.push(executionId)
      const accepted = { commandId: 'c', taskId: 't', deviceId: 's1', host: 'other', acceptedAt: 1 }
      return { executionId, state: 'accepted', ...accepted, ...more }
    }
    const first = await keyed(url, 's1@other')
    const again = await keyed(url, 's1@other')
    for (const { json, headers } of [first, again]) {
      expect(json).toMatchObject({
        error: { code: 'FLEET_HOST_GONE', details: { host: 'other', executionId: told[0], dispatched } },
      })
      expect(headers['svc-execution-id']).toBe(told[0])
    }
    expect(told[0]).toBeDefined()
  })

  test('is free again after a refusal by the fleet itself', async () => {
    const { front, url } = await start({ rows: [rowOf('s1@other', { isDraining: true })] })
    expect((await keyed(url, 's1@other')).json).toMatchObject({ error: { code: 'FLEET_HOST_GONE' } })
    expect(front.keys.size).toBe(0)
  })
})
