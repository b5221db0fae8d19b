/** A warning of a run is told on each surface, with its file and its line, whether the flow passed or not. */
import { expect, test } from 'vitest'
import { ctrfReport } from '../../../../src/service/flows/reports/ctrf.ts'
import { junitReport } from '../../../../src/service/flows/reports/junit.ts'
import { testRunText } from '../../../../src/surfaces/cli/text/test-run.ts'
import { pageFor } from '../../../surfaces/cli/text/page-for.ts'
import { childOf, elementsOf, readXml } from './read-xml.ts'
import { attemptOf, failedAttempt, flowOf, runOf } from './sample-runs.ts'

const MESSAGE = 'The variable NAME is not set.'
const warnings = [{ file: 'flows/pay.yaml', line: 7, message: MESSAGE }]
const passed = flowOf({ attempts: [attemptOf({ warnings })] })
const failed = flowOf({ name: 'Failed', verdict: 'failed', attempts: [failedAttempt({ warnings })] })
const REPORTED = { cwd: '/project', attachments: new Map() }

const times = (text: string) => text.split(MESSAGE).length - 1

test.each([
  ['passed', passed],
  ['failed', failed],
])('of a flow that %s', (_, flow) => {
  const run = runOf([flow])
  const words = testRunText(pageFor(), run)
  expect(words).toContain(`! flows/pay.yaml:7: ${MESSAGE}`)
  expect(times(words)).toBe(1)
  const { text } = junitReport(run, REPORTED)
  const [found] = elementsOf(readXml(text), 'testcase')
  expect(found && childOf(found, 'system-out')?.text).toContain(`Warning: flows/pay.yaml:7: ${MESSAGE}`)
  expect(times(text)).toBe(1)
  const ctrf = JSON.parse(ctrfReport(run, { ...REPORTED, version: '1', now: 0 }))
  expect(ctrf.results.tests[0].extra.warnings).toEqual(warnings)
})

test('the same one of several flows stands on the terminal once', () => {
  expect(times(testRunText(pageFor(), runOf([passed, failed])))).toBe(1)
})
