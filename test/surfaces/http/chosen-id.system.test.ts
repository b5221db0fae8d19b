/** The header `svc-execution-id` of a request: believed on a private listener only. */
import { expect, test } from 'vitest'
import { CALLER_HEADER, CHOSEN_ID_HEADER } from '../../../src/contracts/doors/headers.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { systemIds } from '../../../src/runtime/ids.ts'
import { payloadOf } from '../../support/executions/lab.ts'
import { startFake } from '../../support/http/http-server.ts'

const id = systemIds().at(systemClock().now())
const execution = payloadOf([{ id: 'nap', type: 'sleep', params: { durationMs: 1 } }])
const BODIES = { execute: { execution }, snapshot: {}, screenshot: {} }

const ask = async (isPrivate: boolean, route: keyof typeof BODIES, headers: Record<string, string>) => {
  const { server, url, executions } = await startFake({ isPrivate })
  try {
    const response = await fetch(`${url}/${route}`, {
      method: 'POST',
      body: JSON.stringify(BODIES[route]),
      headers: { 'content-type': 'application/json', ...headers },
    })
    return {
      status: response.status,
      body: await response.text(),
      requests: executions.requests,
      keys: executions.keys,
    }
  } finally {
    await server.close({ graceMs: 1_000 })
  }
}

test.each(['execute', 'snapshot', 'screenshot'] as const)('POST /%s runs under it', async route => {
  const { status, requests } = await ask(true, route, { [CHOSEN_ID_HEADER]: id, [CALLER_HEADER]: 'mcp' })
  expect([status, requests]).toMatchObject([200, [{ executionId: id, caller: 'mcp' }]])
})

test('with an Idempotency-Key, the key goes with it', async () => {
  const { requests, keys } = await ask(true, 'execute', { [CHOSEN_ID_HEADER]: id, 'Idempotency-Key': 'k' })
  expect([requests, keys]).toMatchObject([[{ executionId: id, caller: 'http' }], ['k']])
})

test('a listener that others can reach does not look at it', async () => {
  const { status, requests } = await ask(false, 'execute', { [CHOSEN_ID_HEADER]: id })
  expect([status, requests.map(({ executionId }) => executionId)]).toEqual([200, [undefined]])
})

test.each(['', 'e1', id.toUpperCase(), `${id.slice(0, 14)}4${id.slice(15)}`, `${id} `.repeat(2)])(
  '%j is refused',
  async text => {
    const { status, body, requests } = await ask(true, 'execute', { [CHOSEN_ID_HEADER]: text })
    expect([status, JSON.parse(body), requests]).toMatchObject([400, { error: { code: 'INVALID_BODY' } }, []])
  },
)
