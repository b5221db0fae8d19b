/** CTRF reports, by the facts of the published schema and by what svc alone knows. */
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import type { TestRun } from '../../../../src/contracts/flows/test-run.ts'
import { ctrfReport } from '../../../../src/service/flows/reports/ctrf.ts'
import { CTRF_SCHEMA } from './ctrf-schema.ts'
import { ASSERTION, everyOutcome, failedAttempt, flowOf, HOSTILE, runOf, START, shardedRun } from './sample-runs.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is judged by the schema
type Report = any

const isValid = new Ajv({ allErrors: true, strict: true }).compile(CTRF_SCHEMA)

const ATTACHMENT = { name: 'failure.png', contentType: 'image/png', path: 'out/pay/failure.png' }
const attachments = new Map([['pay/failure.png', { ...ATTACHMENT, projectPath: 'out/pay/failure.png' }]])

const reported = (run: TestRun): Report => {
  const report = JSON.parse(ctrfReport(run, { cwd: '/project', attachments, version: '1.2.3', now: START + 99_000 }))
  isValid(report)
  expect(isValid.errors ?? []).toEqual([])
  return report
}

const testOf = (report: Report, name: string) => report.results.tests.find((each: Report) => each.name === name)

describe('a report', () => {
  const report = reported(everyOutcome())

  test('counts every flow once', () => {
    expect(report.results.summary).toMatchObject({
      tests: 9,
      passed: 2,
      failed: 3,
      skipped: 1,
      pending: 1,
      other: 2,
      flaky: 1,
      start: START,
      stop: START + 65_000,
      duration: 65_000,
    })
    expect(report.results.tool).toEqual({ name: 'svc', version: '1.2.3' })
  })

  test('tells of a failure where it is and what was seen', () => {
    expect(testOf(report, 'Failed')).toMatchObject({
      status: 'failed',
      rawStatus: 'failed',
      duration: 4_250,
      filePath: 'flows/pay.yaml',
      line: 6,
      message: ASSERTION.message,
      snippet: ASSERTION.command,
      device: 'emulator-5554',
      retries: 0,
      flaky: false,
      attachments: [ATTACHMENT],
      extra: { flowRunId: 'flow-run-1', at: 'flows/pay.yaml:6', error: ASSERTION },
    })
    const { steps } = testOf(report, 'Failed')
    expect(steps.map(({ status }: Report) => status)).toEqual(['passed', 'passed', 'passed', 'failed'])
    expect(steps[2].extra).toMatchObject({ verdict: 'ignored', line: 4, executionIds: ['execution-2'] })
  })

  test('keeps what is neither passed nor failed apart by its raw status', () => {
    const statusOf = (name: string) => {
      const { status, rawStatus } = testOf(report, name)
      return [status, rawStatus]
    }
    expect(statusOf('In doubt')).toEqual(['other', 'indeterminate'])
    expect(statusOf('Cancelled')).toEqual(['other', 'cancelled'])
    expect(statusOf('Skipped')).toEqual(['skipped', 'skipped'])
    expect(statusOf('Unfinished')).toEqual(['pending', 'unfinished'])
    expect(testOf(report, 'Skipped').message).toBe('It is for iOS.')
  })

  test('has every attempt of a flow that was tried again, with its phone and its files', () => {
    const { retries, flaky, status, retryAttempts } = testOf(report, 'Flaky')
    expect({ retries, flaky, status }).toEqual({ retries: 1, flaky: true, status: 'passed' })
    expect(retryAttempts).toMatchObject([
      { attempt: 1, status: 'failed', message: ASSERTION.message, line: 6, attachments: [ATTACHMENT] },
      { attempt: 2, status: 'passed', duration: 900, extra: { device: 'emulator-5554' } },
    ])
    expect(retryAttempts[0].extra.steps).toHaveLength(4)
    expect(testOf(report, 'Failed')).not.toHaveProperty('retryAttempts')
  })

  test('keeps any text', () => expect(testOf(report, HOSTILE)).toBeDefined())
})

test('a flow has the same id in every run, and another one on another phone', () => {
  const idsOf = (run: TestRun) => reported(run).results.tests.map(({ id }: Report) => id)
  const [first, second] = [shardedRun(), { ...shardedRun(), testRunId: 'another' }].map(idsOf)
  expect(first).toEqual(second)
  expect(new Set(first).size).toBe(4)
})

test('a run without flows or with a nameless one is valid, too', () => {
  const error = { code: 'DEVICE_NOT_FOUND', message: 'There is no phone.' }
  expect(reported(runOf([], { error })).results.summary.extra.error).toEqual(error)
  expect(reported(runOf([flowOf({ name: '' })])).results.tests[0].name).toBe('flows/pay.yaml')
})

test('a run that goes on ends now', () => {
  const { endedAt: _, ...run } = runOf([flowOf({ attempts: [failedAttempt()] })])
  expect(reported(run).results.summary.stop).toBe(START + 99_000)
})
