import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordedPart, Recording } from '../../../../src/contracts/recording.ts'
import { payloadOf } from '../../../support/executions/lab.ts'
import { type HttpLab, startHttpLab } from '../../../support/http/http-server.ts'
import { boxesOf } from '../../../support/pictures/mp4-boxes.ts'

let http: HttpLab
let device: string

beforeAll(async () => {
  http = await startHttpLab()
  device = `${http.url}/devices/${encodeURIComponent(http.serials[0] ?? '')}/recording`
})
afterAll(() => http.close())

interface Body {
  ok: boolean
  recording?: Recording | null
  error?: { code: string; details?: Record<string, unknown> }
}

const ask = async (method: string, body?: object): Promise<{ status: number; body: Body }> => {
  const json = body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
  const response = await fetch(device, { method, ...json })
  return { status: response.status, body: (await response.json()) as Body }
}

const execute = async (): Promise<string> => {
  const response = await fetch(`${http.url}/execute`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      execution: payloadOf([{ id: 'home', type: 'press_key', params: { key: 'home' } }]),
      deviceId: http.serials[0],
    }),
  })
  const executionId = response.headers.get('svc-execution-id')
  if (executionId === null) throw new Error(await response.text())
  return executionId
}

const partsOf = async (executionId: string): Promise<readonly RecordedPart[]> => {
  const response = await fetch(`${http.url}/executions/${executionId}/trace`)
  const { trace } = (await response.json()) as { trace: { executions: { recorded?: RecordedPart[] }[] } }
  return trace.executions[0]?.recorded ?? []
}

test('records beside an execution, whose trace names its part; the video is served with ranges', async () => {
  expect(await ask('GET')).toMatchObject({ status: 200, body: { ok: true, recording: null } })
  expect(await ask('DELETE')).toMatchObject({ status: 404, body: { error: { code: 'RECORDING_NOT_RUNNING' } } })
  const before = await execute()

  const started = await ask('POST', { forMs: 60_000 })
  expect(started).toMatchObject({ status: 200, body: { ok: true, recording: { state: 'recording' } } })
  const { recordingId } = started.body.recording ?? { recordingId: '' }
  expect(await ask('POST')).toMatchObject({
    status: 409,
    body: { error: { code: 'RECORDING_IN_PROGRESS', details: { recordingId } } },
  })
  const during = await execute()
  expect(await partsOf(during)).toMatchObject([{ recordingId, segment: 1, playable: false }])

  const stopped = await ask('DELETE')
  expect(stopped).toMatchObject({ status: 200, body: { recording: { recordingId, state: 'saved' } } })
  expect((await ask('GET')).body).toEqual(stopped.body)
  const [segment] = stopped.body.recording?.segments ?? []
  expect(segment).toMatchObject({ playable: true })

  expect(await partsOf(before)).toEqual([])
  const [part] = await partsOf(during)
  expect(part).toMatchObject({ recordingId, segment: 1, playable: true })
  expect(part?.toMs).toBeGreaterThanOrEqual(part?.fromMs ?? Number.NaN)
  expect(part?.toMs).toBeLessThanOrEqual((segment?.endedAt ?? 0) - (segment?.startedAt ?? 0))

  const manifest = await fetch(`${http.url}/recordings/${recordingId}`)
  expect(await manifest.json()).toEqual(stopped.body)

  const url = `${http.url}/recordings/${recordingId}/segments/1`
  const whole = await fetch(url)
  expect(whole.headers.get('content-type')).toBe('video/mp4')
  expect(whole.headers.get('accept-ranges')).toBe('bytes')
  expect(whole.headers.get('x-content-type-options')).toBe('nosniff')
  const bytes = Buffer.from(await whole.arrayBuffer())
  expect(boxesOf(bytes)).toEqual(['ftyp', 'mdat', 'moov'])
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(segment?.sha256)

  const ranged = async (range: string, more: Record<string, string> = {}) => {
    const response = await fetch(url, { headers: { Range: range, ...more } })
    const got = Buffer.from(await response.arrayBuffer())
    return { status: response.status, range: response.headers.get('content-range'), got }
  }
  const size = bytes.length
  expect(await ranged('bytes=4-11')).toEqual({ status: 206, range: `bytes 4-11/${size}`, got: bytes.subarray(4, 12) })
  expect(await ranged('bytes=-8')).toEqual({
    status: 206,
    range: `bytes ${size - 8}-${size - 1}/${size}`,
    got: bytes.subarray(size - 8),
  })
  expect(await ranged(`bytes=${size}-`)).toMatchObject({ status: 416, range: `bytes */${size}` })
  expect(await ranged('bytes=0-3', { 'If-Range': '"another"' })).toMatchObject({ status: 200, got: bytes })
})

test.each([{ forMs: 10 }, { size: '721x1280' }, { size: '720' }, { bitRate: 1 }, { until: 3 }])(
  'refuses %j',
  async body => {
    expect(await ask('POST', body)).toMatchObject({ status: 400, body: { error: { code: 'INVALID_BODY' } } })
  },
)

test.each([
  '/recordings/nothing/segments/1',
  '/recordings/..%2f..%2fetc/segments/1',
  '/recordings/01a215e1-c2b1-7493-88e0-3dac3b97e3e3/segments/1',
])('has no video at %s', async path => {
  const response = await fetch(`${http.url}${path}`)
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ ok: false, error: { code: 'RECORDING_NOT_FOUND' } })
})

test('another site cannot start a recording', async () => {
  const response = await fetch(device, { method: 'POST', headers: { Origin: 'https://example.com' } })
  expect(response.status).toBe(403)
})

test('a device that is not there has no recording', async () => {
  const response = await fetch(`${http.url}/devices/nobody/recording`)
  expect(await response.json()).toMatchObject({ ok: false, error: { code: 'DEVICE_NOT_FOUND' } })
})
