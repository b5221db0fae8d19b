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
  test('the codes of the contract have its statuses', () => {
    const stated = {
      EXECUTION_CONFLICT_IN_FLIGHT: 423,
      DEVICE_NOT_FOUND: 404,
      NO_DEVICES: 404,
      MULTIPLE_DEVICES_DEVICE_ID_REQUIRED: 400,
      EXECUTION_VALIDATION_FAILED: 400,
      PAYLOAD_TOO_LARGE: 413,
      RESULT_ENVELOPE_TIMEOUT: 504,
      DEVICE_NOT_INTERACTIVE: 409,
      EMULATOR_NOT_FOUND: 404,
      EMULATOR_NOT_RUNNING: 404,
      EMULATOR_UNSUPPORTED: 409,
      EMULATOR_ALREADY_RUNNING: 409,
      INVALID_JSON: 400,
      INTERNAL_SERVER_ERROR: 500,
      INTERNAL_ERROR: 500,
      NOT_FOUND: 404,
      METHOD_NOT_ALLOWED: 405,
      INVALID_BODY: 400,
      MISSING_EXECUTION: 400,
      INVALID_DEVICE_ID: 400,
      INVALID_OPERATOR_PACKAGE: 400,
      INVALID_PATH: 400,
      INVALID_ARGS: 400,
      INVALID_TIMEOUT_MS: 400,
      INVALID_EXPECT_CONTAINS: 400,
      INVALID_QUERY: 400,
      DEVICE_ACCESSIBILITY_NOT_RUNNING: 409,
      DEVICE_SHELL_UNAVAILABLE: 503,
      DEVICE_UNAUTHORIZED: 409,
      DEVICE_OFFLINE: 409,
      DEVICE_LINK_LOST: 503,
      FORBIDDEN_ORIGIN: 403,
      FORBIDDEN_HOST: 403,
      UNAUTHORIZED: 401,
      IDEMPOTENCY_KEY_REUSED: 422,
      EXECUTION_NOT_FOUND: 404,
      ACTOR_NOT_FOUND: 404,
      REGISTRY_READ_FAILED: 500,
      SKILL_NOT_FOUND: 404,
      SKILL_VALIDATION_FAILED: 400,
      SKILL_SCRIPT_NOT_FOUND: 400,
      SKILL_EXECUTION_FAILED: 400,
      SKILL_EXECUTION_TIMEOUT: 400,
      SKILL_AGENT_CLI_UNAVAILABLE: 400,
      SKILL_OUTPUT_ASSERTION_FAILED: 400,
      SKILL_RESULT_PARSE_FAILED: 400,
      SKILL_VERIFICATION_INDETERMINATE: 200,
      EMULATOR_ALREADY_EXISTS: 409,
      ANDROID_AVD_CREATE_FAILED: 500,
      ANDROID_SYSTEM_IMAGE_INSTALL_FAILED: 500,
      ANDROID_SDK_TOOL_MISSING: 500,
      EMULATOR_START_FAILED: 500,
      RESULT_ENVELOPE_MALFORMED: 500,
      OPERATOR_NOT_INSTALLED: 500,
      BROADCAST_FAILED: 500,
      EXECUTION_INTERRUPTED: 500,
      EXECUTION_CANCELLED: 500,
      ADB_NOT_FOUND: 500,
      ADB_SERVER_FAILED: 500,
      JOURNAL_UNAVAILABLE: 500,
    } satisfies Partial<Record<FailureCode, number>>
    const codes = Object.keys(stated) as (keyof typeof stated)[]
    expect(Object.fromEntries(codes.map(code => [code, FAILURES[code].http]))).toEqual(stated)
    expect(Object.fromEntries(codes.map(code => [code, httpStatusOf(code)]))).toEqual(stated)
  })

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
  test('not where nothing has left for the device', () => {
    const codes: FailureCode[] = [
      'OPERATOR_NOT_INSTALLED',
      'BROADCAST_FAILED',
      'EXECUTION_VALIDATION_FAILED',
      'EXECUTION_CONFLICT_IN_FLIGHT',
      'DEVICE_NOT_INTERACTIVE',
      'NO_DEVICES',
      'ADB_NOT_FOUND',
      'ADB_SERVER_FAILED',
      'IDEMPOTENCY_KEY_REUSED',
      'SKILL_AGENT_CLI_UNAVAILABLE',
      'DAEMON_START_FAILED',
      'FLEET_UNREACHABLE',
    ]
    expect(codes.filter(code => FAILURES[code].mayHaveExecuted)).toEqual([])
  })

  test('wherever the answer was lost after the request left', () => {
    const codes: FailureCode[] = [
      'RESULT_ENVELOPE_TIMEOUT',
      'RESULT_ENVELOPE_MALFORMED',
      'DAEMON_PROXY_ERROR',
      'DEVICE_LINK_LOST',
      'FLEET_HOST_GONE',
      'EXECUTION_INTERRUPTED',
      'EXECUTION_CANCELLED',
      'JOURNAL_UNAVAILABLE',
      'INTERNAL_SERVER_ERROR',
      'SKILL_EXECUTION_TIMEOUT',
    ]
    expect(codes.filter(code => !FAILURES[code].mayHaveExecuted)).toEqual([])
  })

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
