/** What the viewer reads over HTTP: actors with their work, records, bodies, summaries, and pictures as they were taken. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type {
  ActorRecordsResponse,
  ExecutionSummariesResponse,
  ViewedActorsResponse,
} from '../../../../src/contracts/doors/viewer.ts'
import type { StoredReceipt } from '../../../../src/runtime/journal/journal.ts'
import { cycleOf, recordDevice } from '../../../support/executions/device-history.ts'
import { call, codeOf } from '../../../support/http/http-client.ts'
import { type FakeServer, startFake } from '../../../support/http/http-server.ts'
import { receiptOf, recordOf } from '../../../support/runtime/records.ts'

let fake: FakeServer
let folder: string
beforeEach(async () => {
  fake = await startFake()
  folder = mkdtempSync(join(tmpdir(), 'svc-viewer-'))
})
afterEach(async () => {
  await fake.server.close({ graceMs: 0 })
  rmSync(folder, { recursive: true, force: true })
})

const get = (path: string) => call(`${fake.url}${path}`)

test('actors say since when they are in their state, what they work on, and where the stream goes on', async () => {
  const journal = fake.deps.journal()
  await recordDevice(journal, 'a', 1)
  const [requested, dispatched] = cycleOf('a', 1, 5_000)
  if (!requested || !dispatched) throw new Error('a cycle has three records')
  await journal.append(requested)
  await journal.append(dispatched)
  const again = { ...dispatched, n: dispatched.n + 1, at: 6_000, from: dispatched.to }
  await journal.append(again)
  const { head, actors } = (await get('/inspector/actors')).json as ViewedActorsResponse
  expect(head).toBe(journal.head())
  expect(actors).toMatchObject([
    {
      id: 'device:a',
      state: 'running.dispatched',
      since: 5_005,
      updatedAt: 6_000,
      seq: head,
      work: { commandId: 'command-1' },
    },
  ])
})

describe('records', () => {
  test('are whole, page by page', async () => {
    await recordDevice(fake.deps.journal(), 'a', 2)
    const first = (await get('/actors/device:a/records?limit=5')).json as ActorRecordsResponse
    const second = (await get(`/actors/device:a/records?after=${first.next}`)).json as ActorRecordsResponse
    expect([...first.records, ...second.records]).toEqual(fake.deps.journal().records({ actor: 'device:a' }))
    expect(second.next).toBeUndefined()
    expect(codeOf(await get('/actors/device:b/records'))).toBe('ACTOR_NOT_FOUND')
  })

  test('that no longer begin with the first one come with the snapshot to fold from', async () => {
    const journal = fake.deps.journal()
    await recordDevice(journal, 'a', 3)
    const snapshot = { status: 'active', value: 'idle', context: { serial: 'a', current: null }, children: {} }
    await journal.saveCheckpoint({ actor: 'device:a', n: 7, seq: 7, version: 1, snapshot })
    await journal.prune({ maxAgeMs: 1, maxBytes: 1e9, now: 1_700_000_999_000 })
    const { records, start } = (await get('/actors/device:a/records')).json as ActorRecordsResponse
    expect(records[0]?.n).toBeGreaterThan(0)
    expect(start).toMatchObject({ n: 7, snapshot: { value: 'idle' } })
  })

  test('lead to their bodies, and to no body of another actor', async () => {
    const journal = fake.deps.journal()
    const { seq } = await journal.append(recordOf('device:a', 0, { body: { steps: [1, 2] } }))
    await journal.append(recordOf('device:b', 0))
    expect((await get(`/actors/device:a/records/${seq}/body`)).json).toEqual({ ok: true, body: { steps: [1, 2] } })
    for (const path of [
      `/actors/device:b/records/${seq}/body`,
      '/actors/device:a/records/x/body',
      `/actors/device:b/records/${seq + 1}/body`,
    ]) {
      expect([path, (await get(path)).status]).toEqual([path, 404])
    }
  })
})

const keep = (receipt: StoredReceipt, n: number) => fake.deps.journal().append(recordOf('device:d1', n), { receipt })

const shot = (path: string): NonNullable<StoredReceipt['result']> => ({
  ok: true,
  deviceId: 'd1',
  terminalSource: 'svc_result',
  envelope: {
    commandId: 'c',
    taskId: 't',
    status: 'success',
    stepResults: [{ id: 'shot', actionType: 'take_screenshot', success: true, data: { path } }],
    error: null,
  },
})

describe('executions', () => {
  test('are listed without their results, by state, code and operator', async () => {
    const failed = { ok: false as const, error: { code: 'DEVICE_LINK_LOST', message: 'gone' } }
    await keep(receiptOf('1', { state: 'settled', result: shot('/a.png'), operatorPackage: 'svc.shell' }), 0)
    await keep(receiptOf('2', { state: 'interrupted', result: failed, skillRunId: 'run-1' }), 1)
    await keep(receiptOf('3'), 2)
    const ids = async (query: string) => {
      const { executions } = (await get(`/inspector/executions?${query}`)).json as ExecutionSummariesResponse
      return executions.map(({ executionId }) => executionId)
    }
    expect(await ids('')).toEqual(['3', '2', '1'])
    expect(await ids('code=success')).toEqual(['1'])
    expect(await ids('code=DEVICE_LINK_LOST&state=interrupted')).toEqual(['2'])
    expect(await ids('operatorPackage=svc.shell')).toEqual(['1'])
    expect(await ids('skillRunId=run-1')).toEqual(['2'])
    expect(await ids('limit=1')).toEqual(['3'])
    expect(codeOf(await get('/inspector/executions?state=odd'))).toBe('INVALID_QUERY')
    expect((await get('/inspector/executions')).text).not.toContain('envelope')
  })

  test('lead to the pictures they took, while the files are what they were', async () => {
    const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.from('rest')])
    const path = join(folder, 'shot.png')
    const settledAt = Date.now()
    writeFileSync(path, png)
    fake.executions.kept.push(receiptOf('1', { state: 'settled', settledAt, result: shot(path) }))
    const url = '/executions/1/screenshots/shot'
    const answer = await get(url)
    expect([answer.status, answer.headers['content-type'], answer.headers['x-content-type-options']]).toEqual([
      200,
      'image/png',
      'nosniff',
    ])
    const later = new Date(settledAt + 60_000)
    utimesSync(path, later, later)
    expect((await get(url)).text).toContain('changed since the execution ended')
    writeFileSync(path, 'a secret that is not a picture')
    utimesSync(path, new Date(settledAt), new Date(settledAt))
    expect((await get(url)).text).toContain('not a PNG')
    rmSync(path)
    expect((await get(url)).status).toBe(404)
    expect((await get('/executions/1/screenshots/other')).status).toBe(404)
  })

  test('are not kept waiting by a pipe in the place of a picture', async () => {
    const path = join(folder, 'shot.png')
    execFileSync('mkfifo', [path])
    fake.executions.kept.push(receiptOf('1', { state: 'settled', settledAt: Date.now(), result: shot(path) }))
    const answer = await get('/executions/1/screenshots/shot')
    expect(answer.status).toBe(404)
    expect(answer.text).toContain('not a regular file')
  })
})
