/** The failure of a flow is told once on each surface: its line as it happens names the flow alone, and the summary tells the failure. */
import { expect, test } from 'vitest'
import { attemptLine, testRunText } from '../../../src/cli/text/test-run.ts'
import { junitReport } from '../../../src/flows/reports/junit.ts'
import { pageFor } from '../../cli/text/page-for.ts'
import { childOf, elementsOf, readXml } from './read-xml.ts'
import { ASSERTION, failedAttempt, flowOf, runOf } from './sample-runs.ts'

const run = runOf([flowOf({ name: 'Failed', verdict: 'failed', attempts: [failedAttempt()] })])
const times = (text: string, part: string) => text.split(part).length - 1
const { message, command = '' } = ASSERTION

test('on the terminal', () => {
  const words = testRunText(pageFor(), run)
  expect([times(words, message), times(words, command)]).toEqual([1, 1])
  const ended = { name: 'Failed', deviceId: 'p', attempt: 1, error: ASSERTION, tookMs: 1, isRetried: false }
  expect(attemptLine(pageFor(), { ...ended, verdict: 'failed' })).not.toContain(message)
})

test('in JUnit, as one element with the message, and the command in it alone', () => {
  const { text } = junitReport(run, { cwd: '/project', attachments: new Map() })
  const cases = elementsOf(readXml(text), 'testcase')
  expect(elementsOf(readXml(text), 'failure')).toHaveLength(1)
  const [failed] = cases
  expect(failed && childOf(failed, 'system-out')?.text).not.toContain(message)
  expect(times(failed ? (childOf(failed, 'failure')?.text ?? '') : '', command)).toBe(1)
})

test('a file that the message names is not named before it again', () => {
  const problems = ['/a.yaml', '/b.yaml'].map(file => ({ file, message: `There is no file or folder ${file}.` }))
  const refused = { code: 'FLOW_INVALID', message: 'There is no file or folder /a.yaml.', details: { problems } }
  const words = testRunText(pageFor(), runOf([], { error: refused }))
  expect([times(words, '/a.yaml'), times(words, '/b.yaml')]).toEqual([1, 1])
})
