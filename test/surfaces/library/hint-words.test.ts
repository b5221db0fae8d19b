/** The hints of failures as a program reads them: in methods of the library, never in requests of HTTP. */
import { expect, test } from 'vitest'
import { failureHint } from '../../../src/contracts/failures/failure-hints.ts'
import { FAILURES, type FailureCode } from '../../../src/contracts/failures/failures.ts'
import { libraryHint } from '../../../src/surfaces/library/hint-words.ts'
import { connectHere, json, startStubServer } from './stub-server.ts'

const CODES = Object.keys(FAILURES) as FailureCode[]

test('the hint of no code names a request, a header or a field of HTTP', () => {
  const ofHttp = /\b(?:GET|POST|PUT|DELETE) \/|\bheader\b|Content-Type|Authorization|`deviceId`|Svc-Lease/
  const isOfServers = (code: FailureCode) => code === 'METHOD_NOT_ALLOWED' || code === 'MISSING_EXECUTION'
  const hints = CODES.filter(code => !isOfServers(code)).map(code => `${code}: ${libraryHint(failureHint(code))}`)
  expect(hints.filter(hint => ofHttp.test(hint))).toEqual([])
})

test.each([
  ['See `GET /executions/e-1` for what became of it.', "See `svc.receipts.get('e-1')` for what became of it."],
  ['`DELETE /executions/e-1` ends it.', "`svc.receipts.cancel('e-1')` ends it."],
  ['`GET /executions?skillRunId=r-1` lists them.', "`svc.receipts.list({ skillRunId: 'r-1' })` lists them."],
  [
    '`POST /executions/e-1/resume with fromStep tap` goes on.',
    "`svc.request('executions.resume', { executionId: 'e-1', fromStep: 'tap' })` goes on.",
  ],
  ['Wait with `waitMs`.', 'Wait with `waitMs`.'],
  ['Try `svc simulate`.', 'Try `startPhones()` of `svc/simulator`.'],
])('%s', (http, library) => expect(libraryHint(http)).toBe(library))

test('an error has the hint in these words', async () => {
  const error = { code: 'DEVICE_NOT_FOUND', message: 'None.', hint: 'Name a device that `GET /devices` lists.' }
  const { url } = await startStubServer((_, outgoing) => json(outgoing, { ok: false, error }, {}, 404))
  const svc = await connectHere({ url })
  await expect(svc.device('p').back()).rejects.toMatchObject({ hint: 'Name a device that `svc.devices.list()` lists.' })
})
