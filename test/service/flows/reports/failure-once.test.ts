/** The failure of a flow is told once on each surface: message, hint, labels, command, execution and files, for a reader. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import { describe, expect, test } from 'vitest'
import { USE_NEAREST_HINT } from '../../../../src/contracts/failures/failure-labels.ts'
import type { FlowError } from '../../../../src/contracts/flows/test-run.ts'
import { htmlReport } from '../../../../src/service/flows/reports/html.ts'
import { junitReport } from '../../../../src/service/flows/reports/junit.ts'
import { attemptLine, testRunText } from '../../../../src/surfaces/cli/text/test-run.ts'
import type { Phone } from '../../../../src/surfaces/library/main.ts'
import { tellFailure } from '../../../../src/surfaces/library/vitest-failure.ts'
import { flowAnswer } from '../../../../src/surfaces/mcp/tools/flows.ts'
import { pageFor } from '../../../surfaces/cli/text/page-for.ts'
import { childOf, elementsOf, readXml } from './read-xml.ts'
import { attemptOf, commandAt, failedAttempt, flowOf, runOf } from './sample-runs.ts'

const times = (text: string, part: string) => text.split(part).length - 1

const LABELS = [
  { ref: '@4.1', role: 'button', label: 'Order confirm' },
  { ref: '@4.2', role: 'text', label: 'Your orders' },
]
const FRONT = 'com.example.shop'
const named = LABELS.map(({ label, ref }) => `"${label}" (${ref})`).join(', ')

const NEAR: FlowError = {
  code: 'NODE_NOT_FOUND',
  message: 'No element on the screen has the text "Order confirmed"; looked for 1.2 s.',
  hint: `The application in front is ${FRONT}. Nearest to what was asked for: ${named}. ${USE_NEAREST_HINT}`,
  details: { foreground: FRONT, nearest: LABELS },
  file: 'flows/pay.yaml',
  line: 6,
  command: '- extendedWaitUntil: {visible: Order confirmed, timeout: 1200}',
}
const FIRST: FlowError = {
  ...NEAR,
  hint: `Look at the screen first. On the screen: ${LABELS.map(({ label }) => `"${label}"`).join(', ')}.`,
  details: { foreground: FRONT, nearest: [], onScreen: LABELS },
}

const FILE = 'pay/failure.png'
const runWith = (error: FlowError) => {
  const attempt = attemptOf({
    verdict: 'failed',
    error,
    files: [FILE],
    commands: [commandAt(0, { endedAt: commandAt(0).startedAt + 1_234 }), commandAt(3, { verdict: 'failed', error })],
  })
  return runOf([flowOf({ name: 'Failed', verdict: 'failed', attempts: [attempt] })])
}

const ATTACHED = new Map([[FILE, { name: FILE, contentType: 'image/png', path: 'shown.png', projectPath: 'kept.png' }]])
const junit = (error: FlowError) =>
  readXml(junitReport(runWith(error), { cwd: '/project', attachments: ATTACHED }).text)
const PAGE = { script: '', style: '' }

interface Surface {
  text(error: FlowError): string | Promise<string>
  /** The name of the picture on this surface; null where it is drawn by a script. */
  picture: string | null
  /** The command of a test in Vitest is a line of the test. */
  hasCommand: boolean
}

const SURFACES: Readonly<Record<string, Surface>> = {
  terminal: {
    text: error => testRunText(pageFor(), runWith(error)),
    picture: FILE,
    hasCommand: true,
  },
  JUnit: {
    text(error) {
      const [failed] = elementsOf(junit(error), 'failure')
      const [output] = elementsOf(junit(error), 'testcase').map(each => childOf(each, 'system-out')?.text)
      return [failed?.attributes.message, failed?.text, output].join('\n')
    },
    picture: '[[ATTACHMENT|kept.png]]',
    hasCommand: true,
  },
  HTML: {
    text(error) {
      const report = { run: runWith(error), sources: {}, pictures: {}, texts: {}, traces: {}, links: {}, omitted: [] }
      const html = htmlReport({ report, elements: new Map() }, PAGE, '/project')
      const list = html.slice(html.indexOf('<main'), html.indexOf('</main>'))
      return list.replaceAll('&quot;', '"').replaceAll('&#34;', '"').replaceAll('&#39;', "'")
    },
    picture: null,
    hasCommand: true,
  },
  Vitest: {
    async text(error) {
      const phone = {
        snapshot: async () => ({ data: { text: `screen 4 ${FRONT}\n@4.9 text "Another"` } }),
        screenshot: async () => ({ data: { path: FILE }, executionId: 'look' }),
      } as unknown as Phone
      const reported = { ...error, executionId: 'execution-3' }
      await tellFailure(phone, { id: '1', name: 'pays', result: { errors: [reported] } })
      const { file: _, line: __, command: ___, ...printed } = reported
      return Object.entries(printed)
        .map(([name, value]) => (name === 'message' ? value : JSON.stringify({ [name]: value })))
        .join('\n')
    },
    picture: FILE,
    hasCommand: false,
  },
  MCP: {
    text(error) {
      const { content } = flowAnswer(runWith(error), undefined, undefined) as CallToolResult
      return content.map(each => (each.type === 'text' ? each.text : '')).join('\n')
    },
    picture: `/${FILE}`,
    hasCommand: true,
  },
}

describe.each(Object.entries(SURFACES))('%s', (_, { text, picture, hasCommand }) => {
  test.each([
    ['nearest labels', NEAR, 'Nearest on the screen:', USE_NEAREST_HINT],
    ['first labels', FIRST, 'On the screen:', 'Look at the screen first.'],
  ])('%s', async (__, error, title, hint) => {
    const words = await text(error)
    const once = [error.message, title, hint, FRONT, 'execution-3', ...LABELS.map(({ label }) => `"${label}"`)]
    const more = [...(hasCommand ? [error.command ?? ''] : []), ...(picture === null ? [] : [picture])]
    for (const part of [...once, ...more]) expect([part, times(words, part)], words).toEqual([part, 1])
    expect(words).not.toMatch(/step-\d|\b\d{4,} ms/)
  })
})

test('JUnit has the message in the attribute alone, and an attachment once for each kind of reader', () => {
  const root = junit(NEAR)
  const [failed] = elementsOf(root, 'failure')
  expect(failed?.attributes.message).toBe(NEAR.message)
  expect(failed?.text).not.toContain(NEAR.message)
  const files = elementsOf(root, 'property').filter(({ attributes }) => attributes.name === 'attachment')
  expect(files.map(({ attributes }) => attributes.value)).toEqual(['shown.png'])
})

test('the line of an attempt as it ends leaves the message to the summary', () => {
  const ended = { name: 'Failed', deviceId: 'p', attempt: 1, error: NEAR, tookMs: 1, isRetried: false }
  expect(attemptLine(pageFor(), { ...ended, verdict: 'failed' })).not.toContain(NEAR.message)
})

test('the failure of a subflow is told once on the terminal', () => {
  const run = runOf([flowOf({ name: 'Failed', verdict: 'failed', attempts: [failedAttempt()] })])
  expect(times(testRunText(pageFor(), run), '"Order confirmed" is not visible.')).toBe(1)
})

test('a file that the message names is not named before it again', () => {
  const problems = ['/a.yaml', '/b.yaml'].map(file => ({ file, message: `There is no file or folder ${file}.` }))
  const refused = { code: 'FLOW_INVALID', message: 'There is no file or folder /a.yaml.', details: { problems } }
  const words = testRunText(pageFor(), runOf([], { error: refused }))
  expect([times(words, '/a.yaml'), times(words, '/b.yaml')]).toEqual([1, 1])
})
