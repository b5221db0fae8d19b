import { describe, expect, test } from 'vitest'
import { CARDS } from '../../../src/contracts/actions/cards.ts'
import { FIELD_CODES } from '../../../src/contracts/doors/http.ts'
import { ErrorObject } from '../../../src/contracts/failures/error.ts'
import {
  FAILURES,
  type Failure,
  type FailureCode,
  failure,
  httpStatusOf,
  isFailureCode,
} from '../../../src/contracts/failures/failures.ts'
import { accept } from '../parse.ts'

const rows = Object.entries(FAILURES) as [FailureCode, Failure][]

test('every row is well-formed', () => {
  const statuses = [null, 200, 400, 401, 403, 404, 405, 409, 413, 422, 423, 426, 500, 503, 504]
  const isWellFormed = (code: string, { meaning, mayHaveExecuted, retriable, http }: Failure) =>
    /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/.test(code) &&
    meaning !== '' &&
    !(mayHaveExecuted && retriable) &&
    statuses.includes(http)
  expect(rows.filter(([code, row]) => !isWellFormed(code, row)).map(([code]) => code)).toEqual([])
})

describe('HTTP status', () => {
  test('whatever has no status of its own counts as any other code', () => {
    for (const code of ['NODE_NOT_FOUND', 'USAGE', 'SOMETHING_NEW', '', 'toString', '__proto__', 'constructor']) {
      expect(httpStatusOf(code), code).toBe(500)
    }
  })

  test('a code that never answers over HTTP has none', () => {
    const layers = ['envelope', 'daemon', 'cli', 'serve', 'install']
    const answered = rows.filter(([, { layer, http }]) => layers.includes(layer) && http !== null)
    // A step fails with these, and so does a request for the application or the files themselves.
    expect(answered.map(([code]) => code)).toEqual(['APP_NOT_FOUND', 'FILE_NOT_FOUND', 'FILE_EXISTS', 'FILE_REFUSED'])
  })
})

describe('may have executed', () => {
  test('a failed step always: the steps before it ran', () => {
    for (const [, row] of rows.filter(([, r]) => r.layer === 'envelope')) expect(row.mayHaveExecuted).toBe(true)
  })
})

test('every code that a step may answer is of the envelope layer or has a meaning there, and the other way round', () => {
  const answered = new Set(Object.values(CARDS).flatMap(({ failures }) => failures))
  const isOfStep = (row: Failure) => row.layer === 'envelope' || row.meaningOfStep !== undefined
  for (const code of answered) expect({ code, isOfStep: isOfStep(FAILURES[code]) }).toEqual({ code, isOfStep: true })
  const unanswered = rows.filter(([code, row]) => isOfStep(row) && !answered.has(code)).map(([code]) => code)
  expect(unanswered).toEqual([])
})

test('every field of a body has a route code', () => {
  for (const code of Object.values(FIELD_CODES)) expect(FAILURES[code]).toMatchObject({ layer: 'route', http: 400 })
})

test('what every object inherits is not a code', () => {
  for (const name of ['toString', '__proto__', 'constructor', '']) expect(isFailureCode(name)).toBe(false)
  expect(isFailureCode('NO_DEVICES')).toBe(true)
})

describe('failure()', () => {
  test('fills retriable from the table and leaves out what is not given', () => {
    expect(failure('NO_DEVICES', 'none')).toStrictEqual({ code: 'NO_DEVICES', message: 'none', retriable: true })
    expect(failure('USAGE', 'how?', { details: undefined, hint: undefined })).toStrictEqual({
      code: 'USAGE',
      message: 'how?',
      retriable: false,
    })
  })

  test('carries details and hint, and is an error object', () => {
    const error = failure('DEVICE_NOT_FOUND', 'not there', { details: { connected: ['a'] }, hint: 'plug it in' })
    expect(accept(ErrorObject, error)).toEqual({
      code: 'DEVICE_NOT_FOUND',
      message: 'not there',
      details: { connected: ['a'] },
      hint: 'plug it in',
      retriable: false,
    })
  })
})
