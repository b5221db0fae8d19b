/** Many hosts as one service: what callers of one host get of the phones of another, and what hosts refuse one another. */
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExecutionSuccess } from '../../src/contracts/executions/execution-result.ts'
import { runCliHere } from '../support/cli/cli-here.ts'
import { payloadOf } from '../support/executions/lab.ts'
import { type FleetLab, startFleetLab } from '../support/fleet/fleet-lab.ts'
import { needs } from '../support/needs.ts'

const click = (id: string) => payloadOf([{ id: 'a', type: 'snapshot' }], { commandId: id })
type Ran = { envelope: ExecutionSuccess['envelope'] }
type Failed = { error: { code: string; message: string; details: Record<string, unknown> } }

describe.skipIf(!needs('nats-server'))('two hosts', () => {
  let lab: FleetLab
  beforeAll(async () => {
    lab = await startFleetLab({ inProcess: true, flags: ['--fleet-label', 'tag=lab'] })
  })
  afterAll(() => lab.close())

  test('list the devices of both, with host and labels', async () => {
    for (const id of ['lab1', 'lab2']) {
      const { body } = await lab
        .host(id)
        .get<{ devices: { host: string; serial: string; labels: object }[] }>('/devices')
      expect(body.devices.map(({ host, serial }) => [host, serial]).sort()).toEqual([
        ['lab1', lab.host('lab1').serial(0)],
        ['lab2', lab.host('lab2').serial(1)],
      ])
      expect(body.devices[0]?.labels).toMatchObject({
        tag: 'lab',
        android: expect.any(String),
        api: expect.any(String),
      })
    }
  })

  test.each([
    ['by its serial', () => lab.host('lab2').serial(1)],
    ['by its serial and host', () => `${lab.host('lab2').serial(1)}@lab2`],
    ['by labels', () => 'any:tag=lab,host=lab2,api>=21'],
  ])('run an execution on a phone of the other, named %s', async (_name, deviceId) => {
    const { status, headers, body } = await lab.host('lab1').post('/snapshot', { deviceId: deviceId() })
    expect({ status, body }).toMatchObject({ status: 200, body: { ok: true, deviceId: lab.host('lab2').serial(1) } })
    const executionId = headers.get('svc-execution-id')
    for (const id of ['lab1', 'lab2']) {
      const receipt = await lab.host(id).get(`/executions/${executionId}`)
      expect(receipt.body).toMatchObject({ execution: { executionId, host: 'lab2', state: 'settled' } })
    }
  })

  test('run an execution on their own phone, named with their host', async () => {
    const { body } = await lab.host('lab1').post('/snapshot', { deviceId: `${lab.host('lab1').serial(0)}@lab1` })
    expect(body).toMatchObject({ ok: true, deviceId: lab.host('lab1').serial(0) })
  })

  test.each([
    ['labels that no device has', 'any:tag=other', 404, 'NO_DEVICES'],
    ['terms that are not readable', 'any:tag', 400, 'INVALID_DEVICE_ID'],
  ])('refuse %s', async (_name, deviceId, status, code) => {
    const answered = await lab.host('lab1').post<Failed>('/snapshot', { deviceId })
    expect([answered.status, answered.body.error.code]).toEqual([status, code])
  })

  test('keep an Idempotency-Key for the whole fleet', async () => {
    const asked = { execution: click('once'), deviceId: 'any:host=lab2' }
    const headers = { 'idempotency-key': 'key-of-all' }
    const before = lab.fleet.devices[1]?.phone.arrivals().length ?? 0
    const first = await lab.host('lab1').post('/execute', asked, headers)
    const second = await lab.host('lab2').post('/execute', asked, headers)
    const other = await lab.host('lab1').post<Failed>('/execute', { ...asked, execution: click('other') }, headers)
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('svc-execution-id')).toBe(first.headers.get('svc-execution-id'))
    expect([other.status, other.body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    expect(lab.fleet.devices[1]?.phone.arrivals().length).toBe(before + 1)
  })

  test('answer thirty requests with one key at once with one execution', async () => {
    const asked = { execution: click('at-once'), deviceId: 'any:host=lab2' }
    const headers = { 'idempotency-key': 'key-at-once' }
    const before = lab.fleet.devices[1]?.phone.arrivals().length ?? 0
    const hosts = [lab.host('lab1'), lab.host('lab2')] as const
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => hosts[i % 2 === 0 ? 0 : 1].post('/execute', asked, headers)),
    )
    expect(answers.filter(({ status }) => status !== 200).map(({ body }) => body)).toEqual([])
    expect(new Set(answers.map(answer => answer.headers.get('svc-execution-id'))).size).toBe(1)
    expect(lab.fleet.devices[1]?.phone.arrivals().length).toBe(before + 1)
  })

  test('keep a key for its device, and free one whose execution was refused', async () => {
    const headers = { 'idempotency-key': 'key-of-one' }
    const [one, two] = [lab.host('lab1').serial(0), lab.host('lab2').serial(1)]
    const bad = { ...click('refused'), actions: [{ id: 'a', type: 'click' }] }
    const refused = await lab.host('lab1').post('/execute', { execution: bad, deviceId: two }, headers)
    expect(refused.status).toBe(400)
    const first = await lab.host('lab2').post('/execute', { execution: click('first'), deviceId: one }, headers)
    expect([first.status, first.headers.get('svc-host')]).toEqual([200, 'lab1'])
    const other = await lab.host('lab2').post<Failed>('/execute', { execution: click('first'), deviceId: two }, headers)
    expect([other.status, other.body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
  })

  test('write a screenshot where the caller is', async () => {
    const path = join(lab.host('lab1').home, 'shot.png')
    const { body } = await lab.host('lab1').post('/screenshot', { deviceId: lab.host('lab2').serial(1), path })
    expect(body).toMatchObject({ ok: true, envelope: { stepResults: [{ data: { path } }] } })
    expect(existsSync(path)).toBe(true)
    const execution = payloadOf([
      { id: 'p', type: 'take_screenshot', params: { path: join(lab.host('lab1').home, 'no/x.png') } },
    ])
    const refused = await lab.host('lab1').post<Failed>('/execute', { execution, deviceId: lab.host('lab2').serial(1) })
    expect([refused.status, refused.body.error.code]).toEqual([400, 'EXECUTION_VALIDATION_FAILED'])
  })

  test('keep the pictures of looks at a phone of the other with those of their own', async () => {
    const { body } = await lab.host('lab1').post<Ran>('/inspector/looks', { deviceId: lab.host('lab2').serial(1) })
    const [, picture] = body.envelope.stepResults
    expect(dirname(picture?.data.path ?? '')).toBe(join(lab.host('lab1').home, '.svc/screenshots/looks'))
    expect(existsSync(picture?.data.path ?? '')).toBe(true)
  })

  test('fail the step of a picture that does not get here, and hand it out all the same', async () => {
    const [here, deviceId] = [lab.host('lab1'), lab.host('lab2').serial(1)]
    const path = join(here.home, 'taken.png')
    const execution = payloadOf(
      [
        { id: 'shot', type: 'take_screenshot', params: { path } },
        { id: 'nap', type: 'sleep', params: { durationMs: 1_500 } },
      ],
      { commandId: 'no-place' },
    )
    const taking = here.post<Ran>('/execute', { execution, deviceId })
    type List = { executions: { executionId: string }[] }
    let found: List['executions'] = []
    while (found.length === 0) found = (await here.get<List>('/executions?commandId=no-place')).body.executions
    writeFileSync(path, 'something else')
    const id = found[0]?.executionId ?? ''
    const { envelope } = (await taking).body
    expect(envelope).toMatchObject({
      status: 'failed',
      errorCode: 'EVIDENCE_CAPTURE_FAILED',
      error: { code: 'EVIDENCE_CAPTURE_FAILED', details: { host: 'lab2', executionId: id, actionId: 'shot' } },
      stepResults: [
        { id: 'shot', success: false, data: { error: 'EVIDENCE_CAPTURE_FAILED' } },
        { id: 'nap', success: true },
      ],
    })
    const picture = await fetch(`${here.url()}/executions/${id}/screenshots/shot`)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
  })

  test('refuse a second host of the same id', async () => {
    const home = join(lab.host('lab1').home, 'other')
    const env = { HOME: home, SVC_FLEET: lab.nats.urls.join(','), SVC_FLEET_HOST: 'lab1' }
    const ended = await runCliHere(['serve', '--port', '0', '--fleet-unsafe'], { env })
    expect(ended.code).not.toBe(0)
    expect(ended.json()).toMatchObject({ code: 'FLEET_HOST_TAKEN', details: { host: 'lab1' } })
    // What the first one told of itself is still there for those who join now.
    const late = { HOME: join(lab.host('lab1').home, 'late'), SVC_FLEET: lab.nats.urls.join(',') }
    const status = await runCliHere(['fleet', 'status', '--fleet-host', 'late'], { env: late })
    expect(status.json<{ hosts: { host: string }[] }>().hosts.map(({ host }) => host)).toEqual(['lab1', 'lab2'])
  })

  test('refuse unsafe servers unless told', async () => {
    const env = {
      HOME: join(lab.host('lab1').home, 'third'),
      SVC_FLEET: lab.nats.urls.join(','),
      SVC_FLEET_HOST: 'lab9',
    }
    const ended = await runCliHere(['serve', '--port', '0'], { env })
    expect(ended.code).not.toBe(0)
    expect(ended.json()).toMatchObject({
      code: 'FLEET_UNSAFE',
      details: { unsafe: [expect.stringMatching(/copies|server/)] },
      hint: expect.stringContaining('--fleet-unsafe'),
    })
  })
})
