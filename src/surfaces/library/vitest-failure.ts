/** A failed test of Vitest describes its phone: what to do, the screen as text and as a picture, and the execution. */
import { join } from 'node:path'
import { foregroundOf, hintBesideLabels, labelListOf } from '../../contracts/failures/failure-labels.ts'
import type { Phone } from './main.ts'
import { asRecord, type JsonRecord } from './outside.ts'

/** An error as Vitest reports it: plain, with the fields of `SvcError` where it was one. */
interface ReportedError {
  message: string
  code?: unknown
  hint?: unknown
  executionId?: unknown
  details?: unknown
}

/** The fields that are read of a task of Vitest. */
interface FailedTest {
  id: string
  fullName?: string
  name: string
  result?: { errors?: ReportedError[] } | undefined
}

/** Relative to where Vitest was started; a test that fails again replaces its picture. */
const FOLDER = 'test-results/svc'
const NAME_CHARS = 80
const LABELS = 10
/** Vitest prints the fields of an error below its message; these stand in the lines. */
const FIELDS_IN_LINES = ['code', 'hint', 'executionId', 'details'] as const
/** Less than Vitest gives a hook. */
const LOOK_MS = 4_000

/** The lines below the message; each is left out where nothing is known. */
export const failureLines = (error: ReportedError, { screen, picture, executionId }: Seen): string[] => {
  const details: JsonRecord = asRecord(error.details) ?? {}
  const list = labelListOf(details)
  const [head = '', ...nodes] = screen?.split('\n') ?? []
  const front = foregroundOf(details) ?? head.split(' ')[2]
  const { title, labels } = list ?? { title: 'On the screen', labels: nodes.slice(0, LABELS) }
  const shown = labels.length === 0 ? [] : [`${title}:`, ...labels.map(label => `  ${label}`)]
  const receipt = error.executionId ?? executionId
  return [
    ...(typeof error.code === 'string' ? [`Code: ${error.code}`] : []),
    ...(typeof error.hint === 'string' ? [`Hint: ${hintBesideLabels(error.hint, details)}`] : []),
    ...shown,
    ...(front === undefined ? [] : [`In front: ${front}`]),
    ...(receipt === undefined ? [] : [`Execution: ${receipt}`]),
    ...(picture === undefined ? [] : [`Picture: ${picture}`]),
  ]
}

interface Seen {
  /** The compact screen. */
  screen?: string | undefined
  /** The path of the file. */
  picture?: string | undefined
  executionId?: string | undefined
}

const fileOf = ({ id, fullName, name }: FailedTest): string => {
  const words = (fullName ?? name).replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, NAME_CHARS)
  return join(FOLDER, `${words}-${id}.png`)
}

/** A phone that cannot be seen any more takes nothing from the failure of the test. */
const look = async (phone: Phone, test: FailedTest): Promise<Seen> => {
  const options = { timeoutMs: LOOK_MS, signal: AbortSignal.timeout(LOOK_MS) }
  const snapshot = await phone.snapshot({ format: 'compact', ...options }).catch(() => undefined)
  const picture = snapshot && (await phone.screenshot({ path: fileOf(test), ...options }).catch(() => undefined))
  return {
    screen: snapshot?.data.text,
    picture: picture?.data.path,
    executionId: picture?.executionId,
  }
}

/** Adds the lines to the last error of the test. */
export const tellFailure = async (phone: Phone, test: FailedTest): Promise<void> => {
  const error = test.result?.errors?.at(-1)
  if (!error) return
  const lines = failureLines(error, await look(phone, test))
  for (const name of FIELDS_IN_LINES) delete error[name]
  error.message = [error.message, ...lines.map(line => `  ${line}`)].join('\n')
}
