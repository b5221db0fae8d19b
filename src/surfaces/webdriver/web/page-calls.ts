/** Requests of a session to the page of its context: each is an execution, and its failures are errors of the protocol. */
import * as v from 'valibot'
import type { PageElement } from '../../../contracts/device/page-element.ts'
import type { ActionInput } from '../../../contracts/executions/action.ts'
import type { StepResult } from '../../../contracts/executions/execution-result.ts'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { stepHint } from '../../../contracts/failures/step-hints.ts'
import { isObject, parsedJson } from '../../../contracts/json/json.ts'
import { webDriverErrorOf } from '../protocol/failure-error.ts'
import { type ErrorName, WebDriverError } from '../protocol/webdriver-error.ts'
import type { LiveSession, PerformOptions, SessionStep, WebContext } from '../session/live-session.ts'

type ParamsOf<T extends ActionInput['type']> = Extract<ActionInput, { type: T }> extends { params: infer P } ? P : never
type InContext<T extends 'read_page' | 'change_page' | 'page_script'> = Omit<
  ParamsOf<T>,
  'applicationId' | 'page' | 'frames'
>

/** By the reason that a failed step tells; others go by their code. */
const ERROR_OF_REASON: Readonly<Record<string, ErrorName>> = {
  'invalid selector': 'invalid selector',
  'no such element': 'no such element',
  'no such frame': 'no such frame',
  'foreign frame': 'unsupported operation',
  'no scripts': 'unsupported operation',
  unsendable: 'unsupported operation',
  'not interactable': 'element not interactable',
  'no focus': 'element not interactable',
  intercepted: 'element click intercepted',
  'invalid state': 'invalid element state',
  timeout: 'script timeout',
  'invalid address': 'invalid argument',
  stale: 'stale element reference',
}
const OF_PAGES = ['PAGE_REFUSED', 'PAGE_SCRIPT_FAILED']

const reasonOf = (steps: readonly StepResult[]): string | undefined => {
  const step = steps.at(-1)
  return step && !step.success && OF_PAGES.includes(step.data.error ?? '') ? step.data.reason : undefined
}

/** Behind a touch, or a page that was left. */
const REASONS_AFTER_ACTING = ['no focus', 'not reached']

/** The facts of a failed step. A look touches nothing, and neither does a step that the page refuses before its touch. */
const failedIn = ({ data }: WebDriverError, steps: readonly StepResult[], isLook: boolean): WebDriverError['data'] => {
  const reason = reasonOf(steps)
  const isRefused = steps.length === 1 && steps[0]?.data.error === 'PAGE_REFUSED'
  const isUntouched = isRefused && reason !== undefined && !REASONS_AFTER_ACTING.includes(reason)
  return {
    ...data,
    ...((isLook && steps.length > 0) || isUntouched ? { dispatched: false } : {}),
    ...(reason === undefined ? {} : { reason, details: { ...(isObject(data?.details) ? data.details : {}), reason } }),
  }
}

const WINDOWS_HINT =
  'Ask `GET /window/handles` or `mobile: getContexts` which pages there are: this one may have been closed, or its application ended.'

/** Commands know pages as windows and contexts, and not by the actions that the general hint names. */
const inTheirWords = (error: ErrorObject): ErrorObject =>
  error.code === 'PAGE_NOT_FOUND' && error.hint === stepHint('PAGE_NOT_FOUND')
    ? { ...error, hint: WINDOWS_HINT }
    : error

/** `reason` is what the page does not take. */
export class PageRefusal extends WebDriverError {
  readonly reason: string | undefined
  constructor({ error, message }: WebDriverError, reason: string | undefined, data: WebDriverError['data']) {
    super((reason === undefined ? undefined : ERROR_OF_REASON[reason]) ?? error, message, data)
    this.reason = reason
  }
}

export const contextOf = ({ web }: LiveSession): WebContext => {
  if (web) return web
  throw new WebDriverError('unsupported operation', 'The context is NATIVE_APP: switch to a web view first.')
}

/** Throws PageRefusal. */
export const actInPage = async (
  session: LiveSession,
  steps: readonly SessionStep[],
  options?: PerformOptions,
): Promise<readonly StepResult[]> => {
  const done = await session.perform(steps, options)
  if (done.ok) return done.steps
  const failed = webDriverErrorOf(inTheirWords(done.error), done.executionId)
  throw new PageRefusal(failed, reasonOf(done.steps), failedIn(failed, done.steps, options?.looks === true))
}

const placeIn = ({ applicationId, page, frames }: WebContext) => ({
  applicationId,
  page,
  ...(frames.length > 0 ? { frames } : {}),
})

const lastData = (steps: readonly StepResult[]) => steps.at(-1)?.data ?? {}

/** A page may answer anything: what it says must have the shape that the operation has. */
const answered = <T>(schema: v.GenericSchema<unknown, T>, json: string | undefined, what: string): T => {
  const read = v.safeParse(schema, parsedJson(json ?? ''))
  if (read.success) return read.output
  throw new WebDriverError('unknown error', `The page answered ${what} in a form that is not known.`)
}

export const readPage = async <T>(
  session: LiveSession,
  params: InContext<'read_page'>,
  schema: v.GenericSchema<unknown, T>,
): Promise<T> => {
  const steps = await actInPage(
    session,
    [{ type: 'read_page', params: { ...placeIn(contextOf(session)), ...params } }],
    { looks: true },
  )
  return answered(schema, lastData(steps).answer, params.read)
}

export const changePage = async (
  session: LiveSession,
  params: InContext<'change_page'>,
  options?: PerformOptions,
): Promise<void> => {
  const step = { type: 'change_page', params: { ...placeIn(contextOf(session)), ...params } }
  await actInPage(session, [step], options)
}

/** For the script and the way to the phone. */
const SCRIPT_GRACE_MS = 10_000

export const runPageScript = async (
  session: LiveSession,
  params: InContext<'page_script'> & { timeoutMs: number },
): Promise<unknown> => {
  const step = { type: 'page_script', params: { ...placeIn(contextOf(session)), ...params } }
  const steps = await actInPage(session, [step], { timeoutMs: params.timeoutMs + SCRIPT_GRACE_MS })
  return answered(v.unknown(), lastData(steps).value, 'the script')
}

const ListedPages = v.array(
  v.object({
    applicationId: v.string(),
    sockets: v.array(v.string()),
    /** Why an inspector of the application could not be asked. */
    problem: v.optional(v.string()),
    pages: v.array(
      v.object({
        id: v.string(),
        title: v.string(),
        url: v.string(),
        description: v.string(),
        isShown: v.boolean(),
        socket: v.string(),
      }),
    ),
  }),
)
export type ListedApp = v.InferOutput<typeof ListedPages>[number]

/** All applications whose web views can be inspected; one alone where it is named. */
export const listPages = async (session: LiveSession, applicationId?: string): Promise<ListedApp[]> => {
  const params = { read: 'pages', ...(applicationId === undefined ? {} : { applicationId }) }
  const steps = await actInPage(session, [{ type: 'read_page', params }], { looks: true })
  return answered(ListedPages, lastData(steps).answer, 'the pages')
}

/** The handle of an element of this context. Throws WebDriverError. */
export const handleOf = (session: LiveSession, elementId = ''): string => elementIn(session, elementId).element

export const elementIn = (session: LiveSession, elementId = ''): PageElement => {
  const { applicationId, page, frames } = contextOf(session)
  const element = session.webElements.identityOf(elementId)
  if (element.applicationId !== applicationId || element.page !== page)
    throw new WebDriverError(
      'no such element',
      `The element ${elementId} is in the window ${element.page} of ${element.applicationId}, and the window is ${page} of ${applicationId}: switch to it, or find the element here.`,
    )
  return { ...element, applicationId, page, ...(frames.length > 0 ? { frames: [...frames] } : {}) }
}

/** The id that clients get for the element of a handle. */
export const idOfHandle = (session: LiveSession, element: string, label?: string): string => {
  const { applicationId, page } = contextOf(session)
  return session.webElements.idOf({ applicationId, page, element, ...(label === undefined ? {} : { label }) })
}
