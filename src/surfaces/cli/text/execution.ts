/** The result of an execution: one line for an action, the screen for a snapshot, a line for each of several steps. */

import type { StepTarget } from '../../../contracts/actions/card.ts'
import type { ObservedScreen } from '../../../contracts/device/screen.ts'
import { duration } from '../../../contracts/duration.ts'
import type { EnvelopeError, ResultEnvelope, StepResult } from '../../../contracts/executions/execution-result.ts'
import { NO_NODE_MESSAGE } from '../../../contracts/failures/step-hints.ts'
import type { Given } from '../command.ts'
import { failureText } from './failure.ts'
import { blocks, bullets, counted, type Fact, headline, lines, table } from './layout.ts'
import { type Page, SIGNS } from './page.ts'
import { isPlan, type PlanOutput, planText } from './plan.ts'
import { compactScreen, hierarchy, observedScreen, readTexts, stepSentence } from './step.ts'
import { safe, visible, visibleLines, withLabels } from './visible.ts'

const quoted = (value: string) => JSON.stringify(value)

/** Words for the keys of a matcher. */
const FLAGS_OF_KEYS: readonly (readonly [flag: string, key: string, words: (value: string) => string])[] = [
  ['text', 'textEquals', value => `the label ${quoted(value)}`],
  ['text-contains', 'textContains', value => `a label with ${quoted(value)} in it`],
  ['id', 'resourceId', value => `the id ${value}`],
  ['desc', 'contentDescEquals', value => `the description ${quoted(value)}`],
  ['desc-contains', 'contentDescContains', value => `a description with ${quoted(value)} in it`],
  ['role', 'role', value => `the role ${value}`],
]

/** Only where the flag or the first word is all that the matcher was made of. */
/**
 * The message of a node that is not on the screen, in the words of the flag that named it; the envelope keeps the
 * message of the contract.
 */
export const inWordsOfFlags = <E extends Pick<EnvelopeError, 'message'>>(error: E, { text, args }: Given): E => {
  for (const [flag, key, words] of FLAGS_OF_KEYS) {
    for (const value of flag === 'text' ? [text(flag), ...args] : [text(flag)]) {
      const end = `${NO_NODE_MESSAGE} ${key}=${value}.`
      if (value !== undefined && error.message.endsWith(end))
        return { ...error, message: `No node has ${words(value)}.` }
    }
  }
  return error
}

export interface ExecutionOutput {
  envelope: ResultEnvelope
  deviceId: string
  executionId?: string
  observed?: ObservedScreen
  /** A resumption names here, by the id of the step, the node that each step is about. */
  targets?: Readonly<Record<string, string>>
}

const SELECTORS: readonly (readonly [flag: string, show: (value: string) => string])[] = [
  ['role', value => value],
  ['text', JSON.stringify],
  ['text-contains', value => `a node with ${JSON.stringify(value)}`],
  ['text-matches', value => `a node that matches ${JSON.stringify(value)}`],
  ['ref', value => value],
  ['id', value => `#${value}`],
  ['desc', JSON.stringify],
  ['desc-contains', value => `a node with ${JSON.stringify(value)}`],
  ['selector', value => value],
]

/** Arguments of these commands say which node is meant, or which point. */
const NODE_COMMANDS = ['click', 'double-tap', 'pinch', 'wait', 'read']

const isPointOrRef = (word: string) => /^-?\d+$|^@\d+\.\d+$/.test(word)

const nodeWord = (word: string): string => (isPointOrRef(word) ? word : JSON.stringify(word))

/** Both ends of a drag: by flags, or by two words, or by four numbers. */
const endsOf = ({ args, text }: Given): string => {
  const words = args.length === 4 ? [args.slice(0, 2).join(' '), args.slice(2).join(' ')] : args.map(nodeWord)
  const end = (name: string) => text(`${name}-point`) ?? text(`${name}-selector`) ?? words.shift()
  const [from, to] = [end('from'), end('to')]
  return from === undefined || to === undefined ? '' : `from ${from} to ${to}`
}

const targetOf = (call: Given, path: readonly string[]): StepTarget => {
  const [command = ''] = path
  if (command === 'drag') return { node: endsOf(call) }
  if (path.join(' ') === 'apps permission') return { node: '', state: call.args[2] }
  const flags = SELECTORS.flatMap(([flag, show]) => {
    const value = call.text(flag)
    return value === undefined ? [] : [show(value)]
  })
  const point = call.text('coordinate')
  if (point !== undefined) return { node: [point, ...call.args].join(' ') }
  const words = NODE_COMMANDS.includes(command) ? call.args : command === 'type' ? call.args.slice(1) : []
  const named = words.map(nodeWord)
  return { node: [...named, ...flags].join(' '), isClicked: call.isOn('click') }
}

const sentenceOf = (step: StepResult, { targets }: ExecutionOutput, target?: StepTarget): string => {
  const node = targets?.[step.id]
  return stepSentence(step, node === undefined ? target : { node })
}

const snapshotText = (page: Page, { data }: StepResult): string => {
  const { text = '', format } = data
  return format === 'compact' ? compactScreen(page, text) : hierarchy(text)
}

/** The texts or the screen that a step has read; they stand below its line. */
const readText = (page: Page, step: StepResult): string | undefined => {
  if (step.actionType === 'snapshot' && step.success) return snapshotText(page, step)
  if (step.actionType === 'shell') return commandText(step)
  const texts = readTexts(step)
  return texts && bullets(page, texts)
}

const whereAndWhen = (page: Page, { deviceId, executionId }: ExecutionOutput): string =>
  safe`on ${deviceId} in ${duration(page.tookMs)}${executionId === undefined ? '' : `, execution ${executionId}`}`

/** The output of a command line as it came, but for what would move the cursor. */
const commandText = ({ data }: StepResult): string | undefined => {
  const { stdout = '', stderr = '', truncated, stdout_bytes, stderr_bytes } = data
  const [printed, complained] = [stdout, stderr].map(text => visibleLines(text).replace(/\n$/, '') || undefined)
  const cut = `Only the beginning is shown: ${stdout_bytes} bytes of stdout, ${stderr_bytes} of stderr.`
  return lines(printed, complained, truncated === 'true' ? cut : undefined) || undefined
}

const oneStep = (page: Page, step: StepResult, output: ExecutionOutput): string => {
  const target = { ...targetOf(page.given, page.path), isTimed: true }
  const sentence = withLabels(visible(sentenceOf(step, output, target)))
  const isBad = step.actionType === 'shell' && step.data.exit_code !== '0'
  const line = headline(page, isBad ? 'failed' : 'ok', `${sentence} ${whereAndWhen(page, output)}`)
  const read = readText(page, step)
  // A screen is long: what is read first stands last, where the prompt comes.
  return step.actionType === 'snapshot' || step.actionType === 'shell' ? lines(read, line) : lines(line, read)
}

const stepTable = (page: Page, output: ExecutionOutput): string =>
  table(
    page,
    [
      { title: '', cell: ({ success }) => (success ? SIGNS.ok : SIGNS.failed), style: stepStyle },
      { title: 'step', cell: ({ id }) => id, leaveOut: 1 },
      {
        title: 'result',
        cell: step => (step.success ? sentenceOf(step, output) : `${step.actionType}: ${step.data.error ?? 'failed'}`),
        atLeast: 24,
      },
    ],
    output.envelope.stepResults,
  )

const stepStyle = ({ success }: StepResult) => (success ? 'green' : 'red')

const severalSteps = (page: Page, output: ExecutionOutput): string => {
  const { stepResults } = output.envelope
  const screens = stepResults.map(step => {
    const read = readText(page, step)
    return read === undefined ? undefined : lines(page.paint('bold', safe`${step.id}:`), read)
  })
  const done = stepResults.filter(({ success }) => success).length
  const all = counted(stepResults.length, 'step')
  const isDone = output.envelope.status === 'success'
  const count =
    done === stepResults.length ? `${all} succeeded` : `${counted(done, 'step')} succeeded before the failure`
  const summary = headline(page, isDone ? 'ok' : 'failed', `${count} ${whereAndWhen(page, output)}`)
  return blocks(stepTable(page, output), ...screens, summary)
}

const changedText = (page: Page, observed: ObservedScreen | undefined): string | undefined =>
  observed && observedScreen(page, observed)

const NO_MESSAGE = { code: 'INTERNAL_ERROR', message: 'The execution failed without a reason.' }

export const executionText = (page: Page, output: ExecutionOutput | PlanOutput): string => {
  if (isPlan(output)) return planText(page, output)
  const { envelope, observed, executionId, deviceId } = output
  const [first, second] = envelope.stepResults
  const changed = changedText(page, observed)
  if (envelope.status === 'success') {
    return lines(first && !second ? oneStep(page, first, output) : severalSteps(page, output), changed)
  }
  const steps = second ? severalSteps(page, output) : undefined
  const { reason } = envelope.stepResults.find(({ success }) => !success)?.data ?? {}
  const device: Fact[] = second ? [] : [['Device', `${deviceId}, ${duration(page.tookMs)}`]]
  const failure = failureText(page, inWordsOfFlags(envelope.error ?? NO_MESSAGE, page.given), {
    executionId,
    facts: [['Reason', reason?.replaceAll('_', ' ')], ...device],
  })
  return blocks(steps, failure, changed)
}
