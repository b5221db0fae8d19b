// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are what a flow holds
/** A flow keeps and sends texts up to a bound, however its expressions make them. */
import { expect, test } from 'vitest'
import { readFlow } from '../../../../src/service/flows/language/read/read-flow.ts'
import { flowBench } from '../../../support/flows/flow-bench.ts'

const HEADER = 'appId: com.example\n---\n'
const flow = (...lines: readonly string[]) => `${HEADER}${lines.map(line => `- ${line}\n`).join('')}`

const BYTES = 102_400
const LONG = `\${'x'.repeat(${BYTES + 1})}`

const ended = async (yaml: string, files: Record<string, string> = {}) => {
  const bench = flowBench(yaml, { files })
  const ending = await bench.perform()
  if (ending.kind !== 'ended') throw new Error(`the process ${ending.kind}`)
  const { error } = bench.recorded().stages[1]?.body ?? {}
  return { bench, verdict: ending.emitted.verdict, error }
}

test.each([
  ['setClipboard', `setClipboard: ${LONG}`],
  ['inputText', `inputText: ${LONG}`],
  ['assertTrue', `assertTrue: ${LONG}`],
  ['openLink', `openLink: ${LONG}`],
  ['repeat', `repeat: {times: "${LONG}", commands: [back]}`],
  ['runFlow', `runFlow: {env: {A: "${LONG}"}, commands: [back]}`],
  ['runFlow', `runFlow: {when: {true: "${LONG}"}, commands: [back]}`],
])('%s of a text that is too long', async (command, line) => {
  const { bench, verdict, error } = await ended(flow(`evalScript: \${output.a = 1}`, line))
  expect(verdict).toBe('failed')
  expect(error).toMatchObject({ code: 'FLOW_INVALID', file: '/flows/main.yaml', line: 4 })
  expect(error?.command).toContain(command)
  expect(error?.message).toBe(
    `${LONG} comes to a text of at least ${BYTES + 1} bytes, and a text of a flow may have ${BYTES}. Take a part of it; a longer one can stay in output.`,
  )
  expect(bench.touches()).toEqual([])
})

test.each(['inputText', 'assertTrue', 'tapOn'])(
  '%s of a long value in many places is judged before it is put together',
  async key => {
    const written = '${A}'.repeat(20)
    const { error } = await ended(`appId: com.example\nenv:\n  A: ${'x'.repeat(50_000)}\n---\n- ${key}: "${written}"\n`)
    const message = expect.stringContaining('a text of at least 150000 bytes')
    expect(error).toMatchObject({ code: 'FLOW_INVALID', message })
  },
)

test('evalScript keeps a long text in output', async () => {
  const { verdict } = await ended(flow(`evalScript: ${LONG}`, `evalScript: \${output.long = 'x'.repeat(9e6)}`))
  expect(verdict).toBe('passed')
})

test('a long text of the file', () => {
  for (const command of ['inputText', 'setClipboard', 'assertTrue']) {
    expect(readFlow(flow('back', `${command}: ${'x'.repeat(BYTES + 1)}`), '/flows/main.yaml')).toMatchObject({
      ok: false,
      problems: [
        { line: 4, message: expect.stringMatching(/must be a text of at most 102400 bytes; here it is "x+\.\.\.x+"/) },
      ],
    })
  }
})

test('a text is typed in as many executions as it needs', async () => {
  const text = `${'\u{1F600}'.repeat(300)}${'x'.repeat(24_000)}`
  const { bench, verdict } = await ended(flow(`inputText: ${text}`))
  expect(verdict).toBe('passed')
  const typed = bench
    .touches()
    .flatMap(({ type, params }) => (type === 'enter_text' ? [(params as { text: string }).text] : []))
  expect(typed.join('')).toBe(text)
  expect(Math.max(...typed.map(part => part.length))).toBeLessThanOrEqual(512)
  expect(bench.phone.calls.length).toBeGreaterThan(1)
  for (const { steps } of bench.phone.calls) {
    expect(steps.length).toBeLessThanOrEqual(50)
    expect(Buffer.byteLength(JSON.stringify(steps))).toBeLessThan(BYTES)
  }
})

test('all texts that a flow copies have a bound together', async () => {
  const copies = 'repeat: {times: 1000, commands: [setClipboard: "${\'x\'.repeat(100000)}"]}'
  const { bench, verdict, error } = await ended(flow(copies))
  expect({ verdict, code: error?.code }).toEqual({ verdict: 'failed', code: 'FLOW_INVALID' })
  expect(error?.message).toBe(
    'The texts that this flow has copied or typed at random have more than 16777216 bytes in all, and no flow may keep more. Copy shorter texts, or fewer of them.',
  )
  const kept = bench.recorded().commands.flatMap(({ ended: end }) => end?.body.text ?? [])
  expect(kept.join('').length).toBe(16_700_000)
})

test('all variables of a flow have a bound together', async () => {
  const env = (from: number) =>
    Array.from({ length: 7 }, (_, at) => `V${from + at}: "\${'x'.repeat(100000)}"`).join(', ')
  const files = { '/flows/part.yaml': `appId: a\nenv: {${env(7)}}\n---\n- back\n` }
  for (const line of [
    `runFlow: {env: {${env(0)}, ${env(7)}}, commands: [back]}`,
    `runFlow: {env: {${env(0)}}, file: part.yaml}`,
    `runFlow: {env: {${env(0)}}, commands: [runFlow: {env: {${env(7)}}, commands: [back]}]}`,
  ]) {
    const { bench, verdict, error } = await ended(flow(line), files)
    expect({ verdict, code: error?.code }).toEqual({ verdict: 'failed', code: 'FLOW_INVALID' })
    expect(error?.message).toMatch(/^The variables of the flow have \d+ bytes or more in all, and may have 1048576\.$/)
    expect(bench.touches()).toEqual([])
  }
})

test('the text of an error that a script throws is shortened', async () => {
  const { verdict, error } = await ended(flow(`evalScript: \${(() => { throw new Error('x'.repeat(9e6)) })()}`))
  expect({ verdict, code: error?.code }).toEqual({ verdict: 'failed', code: 'SCRIPT_FAILED' })
  expect(error?.message.length).toBeLessThanOrEqual(2_000)
})
