// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are what a flow holds
/** A variable that is not set types "undefined", as in the format, and every view of the run says where. */
import { expect, test } from 'vitest'
import { withoutPauses } from '../../../../src/runtime/yielding.ts'
import { readingFlowAttempt } from '../../../../src/service/flows/read-test-run.ts'
import { flowBench } from '../../../support/flows/flow-bench.ts'

const flow = (...lines: readonly string[]) => `appId: a\n---\n${lines.join('\n')}\n`

const attemptOf = (bench: ReturnType<typeof flowBench>) =>
  withoutPauses(
    readingFlowAttempt(bench.journal, {
      flowRunId: 'run.1.1',
      deviceId: 'p1',
      attempt: 1,
      cwd: '/flows',
      videos: [],
      withCommands: false,
    }),
  )

const warningsOf = async (yaml: string, env: Readonly<Record<string, string>> = {}, files = {}) => {
  const bench = flowBench(yaml, { env, files })
  await bench.perform()
  return (attemptOf(bench)?.warnings ?? []).map(({ file, line, message }) => `${file}:${line} ${message.split(':')[0]}`)
}

const UNSET = 'The variable NAME is not set'

test('the text is "undefined", and the warning has the file and the line', async () => {
  const bench = flowBench(flow('- tapOn: a', '- inputText: Hi ${NAME}'))
  expect(await bench.perform()).toMatchObject({ emitted: { verdict: 'passed' } })
  expect(bench.touches()).toContainEqual({ type: 'enter_text', params: { text: 'Hi undefined', append: true } })
  expect(attemptOf(bench)?.warnings).toEqual([
    {
      file: 'main.yaml',
      line: 4,
      message:
        'The variable NAME is not set: the text "undefined" stands in its place. Set it with -e NAME=value or in the env of the flow.',
    },
  ])
})

test.each<[what: string, yaml: string, warnings: string[]]>([
  ['a variable that is set', 'appId: a\nenv: {NAME: x}\n---\n- inputText: ${NAME}\n', []],
  ['a selector', flow('- tapOn: ${NAME}'), [`main.yaml:3 ${UNSET}`]],
  ['the header', 'appId: a\nenv: {OTHER: "${NAME}"}\n---\n- inputText: ${OTHER}\n', [`main.yaml:1 ${UNSET}`]],
  [
    'env of a subflow',
    flow('- runFlow: {env: {OTHER: "${NAME}"}, commands: [{inputText: "${OTHER}"}]}'),
    [`main.yaml:3 ${UNSET}`],
  ],
  ['a loop, once', flow('- repeat: {times: 3, commands: [{inputText: "${NAME}"}]}'), [`main.yaml:3 ${UNSET}`]],
  ['a value of a script', flow('- inputText: ${output.name}'), ['main.yaml:3 output.name has no value']],
  ['a condition, which asks for it', flow('- runFlow: {when: {true: "${NAME}"}, commands: [back]}'), []],
  ['an assertion of it', flow('- assertTrue: {condition: "${NAME}", optional: true}'), []],
  ['an expression of its own', flow('- inputText: ${typeof NAME}'), []],
])('%s', async (_, yaml, warnings) => {
  expect(await warningsOf(yaml)).toEqual(warnings)
})

test('a flow that fails has the warning too, and a process that goes on repeats none', async () => {
  const yaml = flow('- inputText: ${NAME}', '- tapOn: missing')
  const warning = `main.yaml:3 ${UNSET}`
  expect(await warningsOf(yaml)).toEqual([warning])
  const bench = flowBench(yaml)
  expect(await bench.perform({ cut: { write: 7, as: 'stored' } })).toMatchObject({ kind: 'died' })
  await bench.perform()
  expect(attemptOf(bench)?.warnings?.map(({ line }) => line)).toEqual([3])
})
