/** JUnit reports, read back as strictly as any reader does. */
import { describe, expect, test } from 'vitest'
import type { FlowCommandResult, TestRun } from '../../../../src/contracts/flows/test-run.ts'
import { JUNIT_BYTES_MAX } from '../../../../src/contracts/limits/report-limits.ts'
import type { Attachment } from '../../../../src/service/flows/reports/attachments.ts'
import { junitReport } from '../../../../src/service/flows/reports/junit.ts'
import { childOf, elementsOf, readXml, type XmlElement } from './read-xml.ts'
import {
  ASSERTION,
  attemptOf,
  commandAt,
  everyOutcome,
  FLOWS,
  failedAttempt,
  flowOf,
  HOSTILE,
  runOf,
  shardedRun,
} from './sample-runs.ts'

const attached = (path: string): [string, Attachment] => [
  path,
  { name: path, contentType: 'image/png', path: `../out/${path}`, projectPath: `out/${path}` },
]
const ATTACHMENTS = new Map(['pay/failure.png', 'pay/log.txt', 'pay/difference.png'].map(attached))

const reported = (run: TestRun) => {
  const { text, notes } = junitReport(run, { cwd: '/project', attachments: ATTACHMENTS })
  const root = readXml(text)
  const cases = elementsOf(root, 'testcase')
  const caseOf = (name: string): XmlElement => {
    const found = cases.find(({ attributes }) => attributes.name === name)
    if (!found) throw new Error(`there is no test case ${name}`)
    return found
  }
  return { text, notes, root, cases, caseOf }
}

const kindsOf = ({ children }: XmlElement) => children.map(({ name }) => name)
const propertiesOf = (found: XmlElement) =>
  (childOf(found, 'properties')?.children ?? []).map(({ attributes }) => [attributes.name, attributes.value])

describe('a test case', () => {
  const { caseOf, root } = reported(everyOutcome())

  test('has the attributes of the dialect', () => {
    expect(caseOf('Failed').attributes).toEqual({
      id: 'Failed',
      name: 'Failed',
      classname: 'Failed',
      file: 'flows/pay.yaml',
      line: '6',
      time: '4.250',
      timestamp: '2026-05-04T12:00:00',
      status: 'ERROR',
    })
    expect(caseOf('Passed').attributes).toMatchObject({ status: 'SUCCESS' })
    expect(caseOf('Passed').attributes).not.toHaveProperty('line')
  })

  test('tells an assertion from a doubt, and both from what was not run', () => {
    const failure = childOf(caseOf('Failed'), 'failure')
    expect(failure?.attributes).toEqual({ message: ASSERTION.message, type: 'ASSERTION_FAILED' })
    expect(failure?.text).toBe(
      `Hint: ${ASSERTION.hint}\nExecution: execution-3\nat flows/pay.yaml:6\n    ${ASSERTION.command}`,
    )
    expect(childOf(caseOf('In doubt'), 'error')?.attributes.type).toBe('DEVICE_LINK_LOST')
    expect(childOf(caseOf('Skipped'), 'skipped')?.attributes.message).toBe('It is for iOS.')
    expect(childOf(caseOf('Cancelled'), 'error')?.attributes.type).toBe('CANCELLED')
    expect(childOf(caseOf('Unfinished'), 'error')?.attributes.type).toBe('UNFINISHED')
    expect(kindsOf(caseOf('Passed'))).toEqual(['properties', 'system-out'])
  })

  test('keeps earlier attempts: flaky before a pass, rerun before a failure', () => {
    const flaky = caseOf('Flaky')
    expect(kindsOf(flaky)).toEqual(['properties', 'flakyFailure', 'system-out'])
    expect(childOf(flaky, 'flakyFailure')?.attributes.type).toBe('ASSERTION_FAILED')
    expect(childOf(childOf(flaky, 'flakyFailure'), 'stackTrace')?.text).toContain('flows/pay.yaml:6')
    expect(flaky.attributes.time).toBe('0.900')
    expect(kindsOf(caseOf('Failed twice'))).toEqual(['properties', 'failure', 'rerunError', 'system-out'])
  })

  test('is counted once, by its last attempt', () => {
    expect(elementsOf(root, 'testsuite')[0]?.attributes).toMatchObject({
      tests: '9',
      failures: '3',
      errors: '3',
      skipped: '1',
      hostname: 'ci-7',
      time: '65.000',
      timestamp: '2026-05-04T12:00:00',
    })
    expect(root.attributes).toMatchObject({ tests: '9', failures: '3', errors: '3', skipped: '1' })
  })

  test('leads to its execution, its phone and its files in the ways that readers know', () => {
    expect(propertiesOf(caseOf('Failed'))).toEqual([
      ['svc.run', '0199f2b4-6c1e-7a51-9d52-4f8a8c5b7e10'],
      ['svc.flowRun', 'flow-run-1'],
      ['svc.executionId', 'execution-3'],
      ['device', 'emulator-5554'],
      ['attempt', '1'],
      ['attachment', '../out/pay/failure.png'],
      ['attachment', '../out/pay/log.txt'],
      ['attachment', '../out/pay/difference.png'],
    ])
    const lines = childOf(caseOf('Failed'), 'system-out')?.text.split('\n') ?? []
    expect(lines[0]).toBe('Attempt 1 on emulator-5554: failed')
    expect(lines).toContain('  ! Tap on "Button 2" (flows/login.yaml:4, 400 ms, failed and ignored)')
    expect(lines.slice(-3)).toEqual(
      ['failure.png', 'log.txt', 'difference.png'].map(name => `[[ATTACHMENT|out/pay/${name}]]`),
    )
  })

  test('are files of the run alone: texts of flows and apps name none, wherever they stand', () => {
    const mark = '[[ATTACHMENT|/etc/passwd]]'
    const hostile = [mark, `[${mark}`, `x]]\n${mark}`].join(' ')
    const error = { ...ASSERTION, message: hostile, hint: hostile, command: hostile, code: 'ASSERTION_FAILED' }
    const commands = [commandAt(0, { text: hostile, error })]
    const attempts = [1, 2].map(attempt => ({ ...failedAttempt(), attempt, commands, error, deviceId: hostile }))
    const properties = { junitId: hostile, junitClassname: hostile, note: hostile, attachment: '/etc/passwd' }
    const named = { properties: { ...properties, Attachment_3: '/etc/passwd', testrail_attachment: '/etc/passwd' } }
    const flow = flowOf({ name: hostile, flow: hostile, tags: [hostile], deviceId: hostile, attempts, ...named })
    const run = runOf([flow, flowOf({ name: 'b', reason: hostile, attempts: [], verdict: 'skipped' })])
    const { text, cases } = reported({ ...run, host: hostile, error })
    expect(text.match(/\[\[ATTACHMENT\|.*?\]\]/g)?.filter(found => found.includes('/etc/passwd')) ?? []).toEqual([])
    expect(text).toContain('[[ATTACHMENT|out/pay/failure.png]]')
    const files = cases.flatMap(propertiesOf).filter(([name]) => /attachment/i.test(name ?? ''))
    expect(files.map(([, value]) => value)).not.toContain('/etc/passwd')
  })

  test('with a path that a mark would cut short have a property alone', () => {
    const path = 'pay/x]] [[ATTACHMENT|y.png'
    const attachments = new Map([attached(path)])
    const run = runOf([flowOf({ attempts: [{ ...failedAttempt(), files: [path], commands: [] }] })])
    const { text } = junitReport(run, { cwd: '/project', attachments })
    expect(text).not.toContain('[[ATTACHMENT')
    expect(text).toContain('name="attachment"')
  })

  test('of a flow that passed names its last execution, and one that used no phone none', () => {
    const named = (commands: FlowCommandResult[]) => {
      const [found] = reported(runOf([flowOf({ attempts: [attemptOf({ commands })] })])).cases
      return found && Object.fromEntries(propertiesOf(found))['svc.executionId']
    }
    const script = commandAt(9, { name: 'evalScript', executionIds: [] })
    expect(named([commandAt(0), commandAt(1, { executionIds: ['e1', 'e2'] }), script])).toBe('e2')
    expect(named([commandAt(0), { ...script, verdict: 'failed', error: ASSERTION }])).toBe('execution-0')
    expect(named([{ ...commandAt(0), verdict: 'failed', error: ASSERTION }, commandAt(1)])).toBe('execution-0')
    expect(named([script])).toBeUndefined()
  })

  test.each([
    ['cancelled', undefined, 'The flow did not begin.', 'CANCELED'],
    ['cancelled', 'The run was ended.', 'The run was ended.', 'CANCELED'],
    [null, undefined, 'The flow did not begin.', 'UNFINISHED'],
    ['skipped', undefined, 'The flow was skipped.', 'SKIPPED'],
  ] as const)(
    'of a flow that never began (%s, %s) says so, and names no phone and no time',
    (verdict, reason, said, status) => {
      const { cases, root } = reported(runOf([flowOf({ verdict, attempts: [], ...(reason ? { reason } : {}) })]))
      const [found] = cases
      expect(found?.attributes).toMatchObject({ status, time: '0.000' })
      expect(found?.attributes).not.toHaveProperty('timestamp')
      expect(found && kindsOf(found)).toEqual(['properties', 'skipped'])
      expect(childOf(found, 'skipped')?.attributes.message).toBe(said)
      expect(found && propertiesOf(found)).toEqual([['svc.run', '0199f2b4-6c1e-7a51-9d52-4f8a8c5b7e10']])
      expect(root.attributes).toMatchObject({ tests: '1', failures: '0', errors: '0', skipped: '1' })
    },
  )

  test.each([
    ['failed', 'failure', 'FAILED'],
    ['indeterminate', 'error', 'INDETERMINATE'],
  ] as const)('of a flow that is %s without an error has one all the same', (verdict, kind, type) => {
    const [found] = reported(runOf([flowOf({ verdict, attempts: [attemptOf({ verdict })] })])).cases
    expect(childOf(found, kind)?.attributes).toMatchObject({ type, message: expect.stringMatching(/\.$/) })
  })

  test('carries tags and properties; the reserved ones set attributes', () => {
    expect(propertiesOf(caseOf('Passed')).slice(0, 2)).toEqual([
      ['owner', 'shop'],
      ['tags', 'smoke, pay'],
    ])
    const named = flowOf({ properties: { junitId: 'TC-7', junitClassname: 'shop.Pay', other: 'x' } })
    const [found] = reported(runOf([named])).cases
    expect(found?.attributes).toMatchObject({ id: 'TC-7', name: 'Pay', classname: 'shop.Pay' })
    expect(found && propertiesOf(found).map(([name]) => name)).not.toContain('junitId')
  })

  test('with a subflow that failed has the line of the command that ran it', () => {
    const error = { ...ASSERTION, file: 'flows/login.yaml', line: 4 }
    const failed = failedAttempt({
      error,
      commands: [
        commandAt(0, { verdict: 'failed', line: 9 }),
        commandAt(1, { depth: 1, file: 'flows/login.yaml', line: 4, verdict: 'failed', error }),
      ],
    })
    const [found] = reported(runOf([flowOf({ verdict: 'failed', attempts: [failed] })])).cases
    expect(found?.attributes).toMatchObject({ file: 'flows/pay.yaml', line: '9' })
    expect(childOf(found, 'failure')?.text).toContain('at flows/login.yaml:4')
  })

  test('names a flow below the folder of the caller relative to it', () => {
    const [found] = reported(runOf([flowOf({ flow: '/project/flows/pay.yaml' })])).cases
    expect(found?.attributes.file).toBe('flows/pay.yaml')
  })
})

describe('the document', () => {
  test('holds any text: what XML cannot hold is replaced, everything else comes back', () => {
    const { cases } = reported(runOf([FLOWS.hostile]))
    const expected = 'Pay \ufffd\ufffd\ufffd[31m\ufffd\ufffd <b>&"\'</b> ]]> \u202e הגדרות 👨‍👩‍👧 ⏰\r\n\tend'
    expect(cases[0]?.attributes.name).toBe(expected)
    expect(childOf(cases[0], 'failure')?.attributes.message).toBe(expected)
    expect(childOf(cases[0], 'failure')?.text).toContain(expected)
    expect(HOSTILE).not.toBe(expected)
  })

  test('has a suite and a class name for each phone when all of them run every flow', () => {
    const { root, cases } = reported(shardedRun())
    expect(elementsOf(root, 'testsuite').map(({ attributes }) => attributes.device)).toEqual([
      'emulator-5554',
      '127.0.0.1:5555',
    ])
    const names = cases.map(({ attributes }) => `${attributes.classname}/${attributes.name}`)
    expect(new Set(names).size).toBe(4)
    expect(names).toContain('Pay on 127.0.0.1:5555/Pay')
  })

  test('gives no two cases the same names, of which readers keep only the first', () => {
    const { cases } = reported(runOf([flowOf(), flowOf(), flowOf({ name: 'Pay (2)' })]))
    expect(new Set(cases.map(({ attributes }) => attributes.name)).size).toBe(3)
  })

  test('of a run that could not begin has one case with the reason', () => {
    const error = { code: 'DEVICE_NOT_FOUND', message: 'There is no phone.', hint: 'Connect one.' }
    const { cases, root } = reported(runOf([], { error }))
    expect(childOf(cases[0], 'error')?.attributes).toEqual({ type: 'DEVICE_NOT_FOUND', message: 'There is no phone.' })
    expect(root.attributes.errors).toBe('1')
  })

  test('of 500 flows stays small and whole', () => {
    const flows = Array.from({ length: 500 }, (_, index) =>
      flowOf({ name: `Flow ${index} 🙂`, verdict: 'failed', attempts: [failedAttempt()] }),
    )
    const { text, cases, notes } = reported(runOf(flows))
    expect(cases).toHaveLength(500)
    expect(Buffer.byteLength(text)).toBeLessThan(3_000_000)
    expect(notes).toEqual([])
  })

  test('is shortened until it is small enough for GitLab, and says so', () => {
    const long = 'x'.repeat(90_000)
    const flows = Array.from({ length: 300 }, (_, index) => {
      const attempt = attemptOf({ commands: [commandAt(0, { text: long }), commandAt(1, { text: long })] })
      return flowOf({ name: `Flow ${index}`, attempts: [attempt] })
    })
    const { text, notes, cases } = reported(runOf([FLOWS.failed, ...flows]))
    expect(Buffer.byteLength(text)).toBeLessThan(JUNIT_BYTES_MAX)
    expect(notes).toEqual([expect.stringContaining('shortened')])
    expect(cases).toHaveLength(301)
    expect(childOf(cases[0], 'failure')?.attributes.message).toBe(ASSERTION.message)
  })
})
