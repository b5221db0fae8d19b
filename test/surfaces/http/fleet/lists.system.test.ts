/** A list over all hosts answers what is known, and names the hosts that did not answer. */

import { describe, expect, onTestFinished, test } from 'vitest'
import type { Fleet } from '../../../../src/fleet/fleet.ts'
import { payloadOf } from '../../../support/executions/lab.ts'
import { DEVICE_CONFLICT } from '../../../support/failure-codes.ts'
import { answered, type FakeFleetOptions, fakeFleet, rowOf } from '../../../support/fleet/fake-fleet.ts'
import { call } from '../../../support/http/http-client.ts'
import { startFake } from '../../../support/http/http-server.ts'
import { connectHttp } from '../../../support/mcp-client.ts'

const rows = [
  rowOf('s1@self'),
  rowOf('s2@answers'),
  rowOf('s3@dead', { isAlive: false }),
  rowOf('s4@frozen'),
  rowOf('s5@refuses'),
]
const receipt = (deviceId: string) => ({
  executionId: `e-${deviceId}`,
  commandId: 'c',
  taskId: 't',
  deviceId,
  state: 'settled' as const,
  acceptedAt: 1,
})
const forward: FakeFleetOptions['forward'] = ({ host }) => {
  if (host === 'answers') return answered(200, { ok: true, executions: [receipt('s2')], count: 1 })
  if (host === 'frozen') return { kind: 'unknown', accepted: false }
  return answered(503, { ok: false, error: { code: 'JOURNAL_UNAVAILABLE', message: 'No.' } })
}

const start = async (fleet: FakeFleetOptions) => {
  const server = await startFake({ fleet: fakeFleet(fleet) as Fleet })
  server.executions.kept.push({ ...receipt('s1'), resumable: false } as never)
  onTestFinished(() => server.server.close({ graceMs: 0 }))
  const mcp = await connectHttp(server.url, 'modern')
  onTestFinished(() => mcp.close())
  const get = async (path: string) => (await call(`${server.url}${path}`)).json
  return { get, mcp }
}

const UNANSWERED = [
  { host: 'dead', code: 'FLEET_HOST_GONE' },
  { host: 'frozen', code: 'FLEET_HOST_GONE' },
  { host: 'refuses', code: 'JOURNAL_UNAVAILABLE' },
]

describe('a list over all hosts', () => {
  test('of executions', async () => {
    const { get, mcp } = await start({ rows, forward })
    expect(await get('/executions')).toMatchObject({ ok: true, count: 2, unanswered: UNANSWERED })
    expect(await get('/executions?deviceId=s2@answers')).not.toHaveProperty('unanswered')
    expect(await get('/executions?deviceId=s3@dead')).toMatchObject({ count: 0, unanswered: [UNANSWERED[0]] })
    const { structured, text } = await mcp.call('receipts')
    expect(structured).toMatchObject({ count: 2, unanswered: UNANSWERED })
    expect(text).toContain('dead (FLEET_HOST_GONE)')
  })

  test('of devices', async () => {
    const { get, mcp } = await start({ rows, forward })
    expect(await get('/devices')).toMatchObject({ ok: true, unanswered: [UNANSWERED[0]] })
    const { structured, text } = await mcp.call('devices')
    expect(structured).toMatchObject({ unanswered: [UNANSWERED[0]] })
    expect(text).toContain('dead (FLEET_HOST_GONE)')
  })

  test('while this host is cut off', async () => {
    const { get } = await start({ rows, forward, isUp: false })
    const unanswered = ['answers', 'dead', 'frozen', 'refuses'].map(host => ({ host, code: 'FLEET_UNREACHABLE' }))
    expect(await get('/executions')).toMatchObject({ count: 1, unanswered })
    expect(await get('/devices')).toMatchObject({ devices: [{ serial: 'd1' }], unanswered })
  })
})

test('a call that runs at another host tells how far it is there', async () => {
  const { mcp } = await start({
    rows,
    forward(request) {
      request.onProgress?.({ dispatched: false })
      request.onProgress?.({ dispatched: true })
      return answered(423, { ok: false, error: { code: DEVICE_CONFLICT, message: 'It is busy.' } })
    },
  })
  const told: string[] = []
  const execution = payloadOf([{ id: 'a', type: 'snapshot' }], { commandId: 'c' })
  await mcp.call('execute', { execution, device: 's2@answers' }, { onprogress: message => void told.push(message) })
  expect(told).toEqual(
    ['execution.asked', 'execution.accepted', 'execution.dispatched'].map(what => `${what}: host answers`),
  )
})
