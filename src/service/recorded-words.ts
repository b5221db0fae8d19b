/** The words of svc in what is recorded of executions, screens and flows: secrets that are equal to one leave it readable. */
import { CARDS } from '../contracts/actions/cards.ts'
import { type Words, wordsAt } from '../runtime/svc-words.ts'

const textsAt = (keys: readonly string[]) => Object.fromEntries(keys.map((key): [string, Words] => [key, 'text']))

const ERROR: Words = { code: 'word', message: 'text', hint: 'text', details: 'known', retriable: 'word' }

const DATA: Words = {
  ...textsAt(Object.values(CARDS).flatMap(({ data, notes = [] }) => [...data, ...notes])),
  ...textsAt(['message', 'hint']),
  error: 'word',
}

const ENVELOPE: Words = {
  commandId: 'word',
  taskId: 'word',
  status: 'word',
  stepResults: { '*': { id: 'word', actionType: 'word', success: 'word', data: DATA } },
  error: ERROR,
  errorCode: 'word',
}

/** The result of an execution, as it is recorded and answered. */
export const RESULT_WORDS = wordsAt({
  ok: 'word',
  executionId: 'word',
  deviceId: 'word',
  host: 'word',
  operatorPackage: 'word',
  terminalSource: 'word',
  envelope: ENVELOPE,
  observed: { screen: 'word', text: 'text' },
  error: ERROR,
})

/** A screen as it is kept for refs and differences. */
export const SCREEN_WORDS = wordsAt({
  package: 'text',
  isDialog: 'word',
  nodes: {
    '*': {
      path: 'word',
      role: 'word',
      label: 'text',
      hint: 'text',
      id: 'text',
      className: 'text',
      packageName: 'text',
      state: { '*': 'word' },
      within: 'word',
      row: 'word',
    },
  },
})

/** The end of a command of a flow, or of a stage. Its flows and files are found by their names. */
export const COMMAND_WORDS = wordsAt({
  error: {
    code: 'word',
    message: 'text',
    hint: 'text',
    details: 'known',
    retriable: 'word',
    file: 'word',
    line: 'word',
    command: 'text',
  },
  files: { '*': 'word' },
  warnings: { '*': { message: 'text', file: 'word', line: 'word' } },
  log: { '*': { id: 'word', text: 'text', file: 'word', line: 'word' } },
  written: { '*': 'text' },
  text: 'text',
})

/** A request or a clock reading that a script of a flow has seen. */
export const EFFECTS_WORDS = wordsAt({
  evaluation: 'word',
  from: 'word',
  now: 'word',
  effects: {
    '*': {
      kind: 'word',
      digest: 'word',
      response: { ok: 'word', status: 'word', headers: 'text', body: 'text', problem: 'text' },
      reading: 'word',
      elapsedMs: 'word',
    },
  },
})
