/** What requests become before anything runs: which device, which screen, and under whose key. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { failure } from '../../src/contracts/failures/failures.ts'
import type { ExecutionOrder } from '../../src/service/executions/order.ts'
import { deviceIdFor, executionRequests, viewIn } from '../../src/service/executions.ts'
import { failed, type RequestOptions, success } from '../../src/service/service.ts'
import { manualClock } from '../support/manual-clock.ts'
import { temporary } from '../support/temporary.ts'
import { clicking } from './executions/payloads.ts'

const root = temporary('svc-requests-')
const call: RequestOptions = { context: { caller: 'http', idempotencyKey: 'k' } }
const EXECUTION = clicking({ matcher: { textEquals: 'OK' } })

const bench = () => {
  const folder = mkdtempSync(join(root(), 'in-'))
  const ran: { order: ExecutionOrder; key: string | undefined }[] = []
  const refused: unknown[] = []
  const run = async (order: ExecutionOrder, { context }: RequestOptions) => {
    ran.push({ order, key: context.idempotencyKey })
    return failed(failure('NO_DEVICES', 'There is none.'))
  }
  const requests = executionRequests(run, {
    clock: manualClock(),
    screenshots: { relativeTo: folder, newFilesIn: join(folder, 'shots') },
    note: () => {},
    onRefused: (refusal: unknown) => void refused.push(refusal),
  })
  return { folder, ran, refused, requests }
}

test('a valid execution runs as it is asked for, under the key of its caller', async () => {
  const { ran, requests } = bench()
  await requests.execute(
    { execution: EXECUTION, deviceId: 'd1', operatorPackage: 'p', waitMs: 5, observe: true } as never,
    call,
  )
  expect(ran).toMatchObject([
    {
      key: 'k',
      order: { deviceId: 'd1', operatorPackage: 'p', waitMs: 5, view: { observe: true }, execution: EXECUTION },
    },
  ])
  await requests.execute({ execution: EXECUTION, deviceId: ' ' } as never, call)
  expect(ran[1]?.order, 'a blank device is none').toMatchObject({ deviceId: undefined, view: undefined })
})

test('one that is refused does not run, and those who watch hear of it', async () => {
  const { ran, refused, requests, folder } = bench()
  const wrong = { ...EXECUTION, timeoutMs: 1 }
  const answer = await requests.execute({ execution: wrong, deviceId: 'd1' } as never, call)
  expect(answer).toMatchObject({ ok: false, deviceId: 'd1', error: { code: 'EXECUTION_VALIDATION_FAILED' } })
  expect(refused).toMatchObject([{ deviceId: 'd1', input: wrong, result: { ok: false } }])
  await requests.execute({ execution: wrong } as never, call)
  expect(refused[1], 'one that names no device').toMatchObject({ deviceId: '', input: wrong, result: { ok: false } })
  writeFileSync(join(folder, 'notes.txt'), 'not a picture')
  const picture = { ...EXECUTION, actions: [{ id: 'p', type: 'take_screenshot', params: { path: 'notes.txt' } }] }
  const unwritable = await requests.execute({ execution: picture, deviceId: 'd1' } as never, call)
  expect(unwritable).toMatchObject({ ok: false, error: { details: { path: 'actions.0.params.path', actionId: 'p' } } })
  expect(ran).toEqual([])
})

test('what svc builds itself runs under no key of the caller', async () => {
  const { ran, requests } = bench()
  await requests.snapshot({ deviceId: 'd1', format: 'compact' } as never, call)
  await requests.screenshot({ deviceId: 'd1', path: 'new.png' } as never, call)
  await requests['viewer.look']({ deviceId: 'd1' } as never, call)
  expect(ran.map(({ key }) => key)).toEqual([undefined, undefined, undefined])
  expect(ran.map(({ order }) => order.execution.actions.map(({ type }) => type))).toEqual([
    ['snapshot'],
    ['take_screenshot'],
    ['snapshot', 'take_screenshot'],
  ])
  expect(ran[0]?.order.view).toEqual({ format: 'compact' })
  expect(ran[2]?.order.screenshots.newFilesIn).toContain('shots')
})

test('a screenshot is not taken where it could not be written', async () => {
  const { ran, requests, folder } = bench()
  writeFileSync(join(folder, 'notes.txt'), 'not a picture')
  const answer = await requests.screenshot({ deviceId: 'd1', path: 'notes.txt' } as never, call)
  expect(answer).toMatchObject({
    ok: false,
    error: { code: 'INVALID_PATH', hint: expect.stringContaining('Name a new file') },
  })
  expect(ran).toEqual([])
})

test('of a screen only what was asked for is asked', () => {
  expect(viewIn({})).toBeUndefined()
  expect(viewIn({ since: 'e1' })).toEqual({ since: 'e1' })
  expect(viewIn({ format: 'compact', observe: false })).toEqual({ format: 'compact', observe: false })
})

test('a request without a device is for the only one, and says so where that is not clear', async () => {
  const listing = (...devices: [string, string][]) => ({
    'devices.list': async () =>
      success({ devices: devices.map(([deviceId, state]) => ({ deviceId, state })), count: devices.length }) as never,
  })
  expect(await deviceIdFor(listing(), 'named', call)).toMatchObject({ ok: true, value: 'named' })
  expect(await deviceIdFor(listing(['d1', 'device']), undefined, call)).toMatchObject({ ok: true, value: 'd1' })
  expect(await deviceIdFor(listing(['d1', 'device']), '  ', call)).toMatchObject({ ok: true, value: 'd1' })
  expect(await deviceIdFor(listing(['d1', 'device'], ['d2', 'device']), undefined, call)).toMatchObject({ ok: false })
  const broken = { 'devices.list': async () => failed(failure('ADB_NOT_FOUND', 'There is no adb.')) }
  expect(await deviceIdFor(broken, undefined, call)).toMatchObject({ ok: false, error: { code: 'ADB_NOT_FOUND' } })
})
