/** A request written as an HTTP message, and an answer read as the result that was meant. */
import { describe, expect, test } from 'vitest'
import { readContext } from '../../../src/contracts/doors/request-context.ts'
import { requestOf, resultOf } from '../../../src/service/http-transport.ts'
import type { ServiceId } from '../../../src/service/service.ts'

const CLI = { caller: 'cli' } as const
const jsonIn = (body: Uint8Array): unknown => JSON.parse(Buffer.from(body).toString())

describe('a request', () => {
  test('has fields of its path there, encoded, and the others in the body', () => {
    const { method, path, body } = requestOf('executions.resume', { executionId: 'a/b', fromStep: 'x' }, CLI)
    expect([method, path, jsonIn(body)]).toEqual(['POST', '/executions/a%2Fb/resume', { fromStep: 'x' }])
  })

  test('has the given fields of a look in its query', () => {
    const input = { limit: 3, deviceId: 'S@b', commandId: undefined }
    const { method, path, body } = requestOf('executions.list', input, CLI)
    expect([method, path, body.length]).toEqual(['GET', '/executions?limit=3&deviceId=S%40b', 0])
    expect(requestOf('executions.list', {}, CLI).path).toBe('/executions')
  })

  test('tells the context, as a host of the fleet reads it', () => {
    const context = {
      caller: 'mcp',
      confirmed: ['a,b'],
      executionId: '01890000-0000-7000-8000-000000000000',
      idempotencyKey: 'key',
      skillRunId: 'run',
      answerWithinMs: 5_000,
      fetchesPictures: true,
      sent: { from: 'a', epoch: 3 },
    } as const
    const { headers } = requestOf('execute', {}, context)
    expect(readContext(headers, { isPrivate: true })).toEqual({ ok: true, context })
  })
})

describe('an answer', () => {
  const read = (id: ServiceId, body: unknown, { status = 200, headers = {} } = {}) =>
    resultOf(
      id,
      { skillId: 's' } as never,
      {
        status,
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? Buffer.from(body) : Buffer.from(JSON.stringify(body)),
      },
      'b',
    )

  test('names the receipt and the host, which may be one behind the asked one', () => {
    expect(read('fleet.status', { ok: true })).toMatchObject({ ok: true, host: 'b', executionId: undefined })
    const headers = { 'svc-execution-id': 'e', 'svc-host': 'c' }
    expect(read('execute', { ok: true, envelope: {} }, { headers })).toMatchObject({ host: 'c', executionId: 'e' })
  })

  test('is the failure that was told', () => {
    const error = { code: 'DEVICE_NOT_FOUND', message: 'No.', details: { connected: [] } }
    expect(read('execute', { ok: false, error }, { status: 404 })).toMatchObject({ ok: false, error })
  })

  test('of a list has the hosts that did not answer', () => {
    expect(read('executions.list', { executions: [] })).toMatchObject({ value: { executions: [], unanswered: [] } })
    const unanswered = [{ host: 'c', code: 'FLEET_HOST_GONE' }]
    expect(read('executions.list', { executions: [], unanswered })).toMatchObject({ value: { unanswered } })
  })

  test('of a skill is a run where it names one, also one that failed', () => {
    const error = { code: 'SKILL_EXECUTION_FAILED', message: 'It failed.' }
    const headers = { 'svc-skill-run': 'r' }
    const run = read('skills.run', { ok: false, error }, { status: 502, headers })
    expect(run).toMatchObject({ ok: true, value: { runId: 'r', skillId: 's', status: 'failed', error } })
    expect(read('skills.run', { ok: false, error }, { status: 404 })).toMatchObject({ ok: false, error })
  })

  test.each([{ ok: false }, { ok: false, error: null }, { ok: false, error: 'no' }])(
    'of a skill that failed without an error, %j, is a failure of that host',
    body => {
      const answer = read('skills.run', body, { headers: { 'svc-skill-run': 'r' } })
      expect(answer).toMatchObject({ ok: false, error: { code: 'INTERNAL_ERROR', details: { host: 'b' } } })
    },
  )

  test('of bytes is these bytes', () => {
    const picture = read('executions.picture', 'png', { headers: { 'content-type': 'image/png' } })
    expect(picture.ok && Buffer.from(picture.value as Uint8Array).toString()).toBe('png')
  })

  test.each([
    [
      'without what each door adds',
      { 'content-security-policy': "script-src 'sha256-x'; frame-ancestors 'none'; sandbox allow-scripts" },
      "script-src 'sha256-x'",
    ],
    ['that allows nothing where none was told', {}, "default-src 'none'"],
  ])('of a page keeps its policy, %s', (_name, told, policy) => {
    const headers = { 'content-type': 'text/html; charset=utf-8', ...told }
    expect(read('executions.traceFile', '<p>', { headers })).toMatchObject({ value: { html: '<p>', policy } })
  })

  test.each<[ServiceId, unknown, string]>([
    ['devices.list', '<html>', 'is not JSON'],
    ['devices.list', '[]', 'is not JSON'],
    ['execute', { ok: true }, 'may have executed'],
    ['executions.resume', {}, 'may have executed'],
  ])('to %s that is %j is an internal error', (id, body, said) => {
    const message = expect.stringContaining(said) as string
    expect(read(id, body)).toMatchObject({
      ok: false,
      error: { code: 'INTERNAL_ERROR', message, details: { host: 'b' } },
    })
  })
})
