/** A failure for people: its code and message, what was near, what to do, and the execution that it was. */

import { duration } from '../../../contracts/duration.ts'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { foregroundOf, hintBesideLabels, labelListOf } from '../../../contracts/failures/failure-labels.ts'
import { placePrefix } from '../../../contracts/flows/problem-place.ts'
import { isObject } from '../../../contracts/json/json.ts'
import { bullets, type Fact, facts, headline, lines } from './layout.ts'
import { type Page, shortId } from './page.ts'
import { safe, visible, visibleLines } from './visible.ts'

/** These details stand in the message or have a line of their own. */
const SHOWN_OTHERWISE = [
  'nearest',
  'onScreen',
  'foreground',
  'executionId',
  'dispatched',
  'actionId',
  'actionType',
  'path',
  'crash',
  'ended',
  'kind',
]

const isTold = (text: unknown, message: string) => typeof text === 'string' && text !== '' && message.includes(text)

const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)

/** Their values say what they are. */
const NAMELESS = ['code', 'path', 'problem', 'skillId']

/** These details say who; the message has them whole. */
const NAMING = ['leaseId', 'sessionId', 'flowRunId']

/** `login.yaml:4:3: There is no command tapOnn. Did you mean tapOn?` */
const placedProblem = ({ message, hint, ...place }: Readonly<Record<string, unknown>>): string => {
  const text = String(message)
  return `${placePrefix({ ...place, message: text })}${text}${hint === undefined ? '' : ` ${hint}`}`
}

const TIME_NAME = /At$|^since$/
const ISO_TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g

/** The message as a person reads it: its times are local ones. */
const messageLines = (page: Page, message: string): string[] =>
  message.replace(ISO_TIME, time => (Number.isNaN(Date.parse(time)) ? time : page.time(Date.parse(time)))).split('\n')

const wordsIn = (message: string): string[] => message.split(/\s+/).map(word => word.replace(/^["(]+|[".,:;)]+$/g, ''))

/** Ids, times, the note of a reservation and who keeps it, where the message has them. */
const isInMessage = (name: string, value: unknown, message: string): boolean => {
  if (isObject(value)) return name === 'keptBy' && message.includes(` of ${value.user} on ${value.machine}`)
  if (typeof value === 'number') {
    return TIME_NAME.test(name) && (message.match(ISO_TIME) ?? []).some(time => Date.parse(time) === value)
  }
  if (typeof value !== 'string') return false
  return name === 'note'
    ? message.includes(JSON.stringify(value))
    : name.endsWith('Id') && wordsIn(message).includes(value)
}

const withoutRepeats = (details: object, message: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(details)
      .filter(([name, value]) => !isInMessage(name, value, message))
      .map(([name, value]) => [name, isObject(value) ? withoutRepeats(value, message) : value]),
  )

/** Times and durations as people read them. */
const measured = (page: Page, name: string, value: unknown): string | undefined => {
  if (typeof value !== 'number') return undefined
  if (TIME_NAME.test(name)) return value > page.now ? page.time(value) : `${page.time(value)} (${page.ago(value)})`
  return name.endsWith('Ms') ? duration(value) : undefined
}

const inWords = (page: Page, value: unknown): string => {
  if (isPlain(value)) return String(value)
  if (Array.isArray(value)) return value.map(item => inWords(page, item)).join(', ')
  if (!isObject(value)) return ''
  if ('file' in value && 'message' in value) return placedProblem(value)
  const { message, path, ...others } = value
  if (typeof message !== 'string') return wordsOf(page, value)
  // A message of svc says itself which path it is about.
  const about = wordsOf(page, typeof path === 'string' && message.includes(path) ? others : { path, ...others })
  return about === '' ? message : `${about}: ${message}`
}

const wordsOf = (page: Page, value: object): string =>
  Object.entries(value)
    .filter(([, part]) => part !== undefined && part !== null)
    .map(([name, part]) => {
      const isNamed = NAMING.includes(name) && typeof part === 'string'
      const words = isNamed ? shortId(page, part) : (measured(page, name, part) ?? inWords(page, part))
      return NAMELESS.includes(name) ? words : `${name} ${words}`
    })
    .join(', ')

/** `missingTools` as `Missing tools`. */
const titleOf = (name: string): string => {
  const words = name.replace(
    /([a-z])([A-Z])/g,
    (_, before: string, after: string) => `${before} ${after.toLowerCase()}`,
  )
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.some(isObject)
const isBlock = (value: unknown): value is string => typeof value === 'string' && value.includes('\n')

const indented = (text: string) => visibleLines(text).trimEnd().replace(/^/gm, '    ')

/** The screen as a whole, for callers who go on with its refs: a person sees the labels. */
const WHOLE_SCREEN = ['screen', 'text', 'linesOmitted']

const otherDetails = (details: Readonly<Record<string, unknown>>) =>
  Object.entries(details).filter(
    ([name]) => !SHOWN_OTHERWISE.includes(name) && !('nearest' in details && WHOLE_SCREEN.includes(name)),
  )

const shortDetails = (page: Page, details: Readonly<Record<string, unknown>>): Fact[] =>
  otherDetails(details)
    .filter(([, value]) => !isList(value) && !isBlock(value))
    .map(([name, value]) => [titleOf(visible(name)), measured(page, name, value) ?? inWords(page, value)])

/** A detail that only repeats the message is left out. */
const longDetails = (page: Page, details: Readonly<Record<string, unknown>>, message: string): string[] =>
  otherDetails(details).flatMap(([name, value]) => {
    const title = `  ${titleOf(visible(name))}:`
    if (isBlock(value)) return [lines(title, indented(value))]
    const items = isList(value) ? value.filter(item => !isObject(item) || !isTold(item.message, message)) : []
    const words = items.map(item => inWords(page, item))
    return words.length > 0 ? [lines(title, bullets(page, words, 4))] : []
  })

/** `NullPointerException: note is null`, then the innermost calls. */
const crashText = (page: Page, crash: unknown): string | undefined => {
  if (!isObject(crash)) return undefined
  const { kind, applicationId, time, process, exception, message, reason, stackTop } = crash
  const at = typeof time === 'string' ? ` at ${time}` : ''
  const inProcess = typeof process === 'string' ? ` in the process ${process}` : ''
  const title = `  ${kind === 'anr' ? `${applicationId} did not respond` : `${applicationId} crashed`}${inProcess}${at}:`
  const description = [exception, message, reason].filter(part => typeof part === 'string' && part !== '').join(': ')
  const frames = Array.isArray(stackTop) ? bullets(page, stackTop.map(String), 6) : undefined
  return lines(visible(title), description === '' ? undefined : indented(description), frames)
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

export interface FailureContext {
  /** Names the execution where the error does not; null where it is named already. */
  executionId?: string | null | undefined
  facts?: readonly Fact[]
}

export const failureText = (page: Page, error: ErrorObject, context: FailureContext = {}): string => {
  const { code, hint, details = {} } = error
  const [message = '', ...more] = messageLines(page, error.message)
  const unrepeated = withoutRepeats(details, error.message)
  const executionId =
    context.executionId === undefined && code !== 'EXECUTION_NOT_FOUND'
      ? textOf(details.executionId)
      : context.executionId
  const list = labelListOf(details)
  const rows: Fact[] = [
    ...shortDetails(page, unrepeated),
    ['In front', foregroundOf(details)],
    ...(context.facts ?? []),
    ['Receipt', executionId ? `svc executions show ${executionId}` : undefined],
    ['Hint', hint && hintBesideLabels(hint, details)],
  ]
  return lines(
    headline(page, 'failed', safe`${code}: ${message}`),
    more.length === 0 ? undefined : indented(more.join('\n')),
    details.dispatched === false ? '  Nothing was sent to the device.' : undefined,
    list && `  ${list.title}:\n${bullets(page, list.labels, 4)}`,
    crashText(page, details.crash),
    ...longDetails(page, unrepeated, error.message),
    facts(page, rows, 2),
  )
}

export const isFailure = (output: unknown): output is ErrorObject =>
  isObject(output) && typeof output.code === 'string' && typeof output.message === 'string'
