/** read_page, change_page and page_script: each is one request to the page, which is never sent again. */
import * as v from 'valibot'
import type { ParamsOf } from '../../contracts/actions/card.ts'
import { PageId } from '../../contracts/device/page-element.ts'
import { isObject, parsedJson } from '../../contracts/json/json.ts'
import { PAGE_FOUND } from '../../contracts/limits/page-limits.ts'
import { deviceShell } from '../operators/shell/device-shell.ts'
import { StepFailure } from '../screen/step-failure.ts'
import type { HostStepOptions } from '../steps/performer.ts'
import { allInspectedApps } from './devtools-sockets.ts'
import { findPage, inPage, type PageName, unreadable } from './find-page.ts'
import { askInspector, DOCUMENT_LEFT, evaluateInPage } from './inspector-reply.ts'
import { ANSWER_MS, type Inspecting, listEach, overSocket, problemOf, TOO_LATE } from './over-inspector.ts'
import { EVALUATION_MS } from './page-answer.ts'
import { answeredValue } from './page-answers.ts'
import { PageProblem } from './page-problem.ts'
import { type PageAsk, pageProgram } from './page-program.ts'

type StepData = Record<string, string>

/** Behind the time of a script: for the way to the page and back. */
const SCRIPT_GRACE_MS = 2_000

const inspectingWith = ({ link, ...options }: HostStepOptions, answerMs = ANSWER_MS): Inspecting => ({
  link,
  options,
  until: options.deadline,
  answerMs,
})

const invalid = (message: string) => new StepFailure('ACTION_FAILED', message)

interface ProgramOptions {
  evaluationMs?: number
  answerMs?: number
  awaitPromise?: boolean
  mayAct?: (() => void) | undefined
}

const askProgram = async (
  name: PageName,
  ask: PageAsk,
  options: HostStepOptions,
  { evaluationMs = EVALUATION_MS, answerMs, awaitPromise, mayAct }: ProgramOptions = {},
): Promise<unknown> => {
  const { socket: socketName, target } = await findPage(name, inspectingWith(options))
  const inspecting = inspectingWith(options, answerMs)
  return await inPage(name, inspectingWith(options), () =>
    overSocket(socketName, inspecting, async socket =>
      answeredValue(
        await evaluateInPage(socket, target, pageProgram(ask), { timeoutMs: evaluationMs, awaitPromise, mayAct }),
      ),
    ),
  )
}

/** The applications with pages that can be inspected, each with its pages, or with the problem of an inspector that cannot be asked. */
const pagesOf = async (applicationId: string | undefined, options: HostStepOptions) => {
  const inspecting = inspectingWith(options)
  const apps = await allInspectedApps(deviceShell(options.link, options), options.deadline).catch(error => {
    throw unreadable(problemOf(error))
  })
  const wanted = apps.filter(app => applicationId === undefined || app.applicationId === applicationId)
  const answers = await listEach(
    wanted.map(({ socket }) => socket),
    inspecting,
  )
  const byApp = new Map<string, { sockets: string[]; pages: unknown[]; problem?: string }>()
  for (const { applicationId: app, socket } of wanted) {
    const known = byApp.get(app) ?? { sockets: [], pages: [] }
    const answer = answers.get(socket) ?? []
    known.sockets.push(socket)
    if (answer instanceof PageProblem) known.problem = answer.message
    else
      known.pages.push(
        ...answer
          .filter(({ id }) => v.is(PageId, id))
          .map(({ id, title, url, description, isShown }) => ({ id, title, url, description, isShown, socket })),
      )
    byApp.set(app, known)
  }
  const named = applicationId === undefined ? undefined : byApp.get(applicationId)
  if (named?.problem !== undefined && named.pages.length === 0)
    throw new StepFailure('PAGE_UNREADABLE', `${applicationId} could not be asked for its pages: ${named.problem}`)
  return [...byApp].map(([app, known]) => ({ applicationId: app, ...known }))
}

const NEEDS: Partial<Record<ParamsOf['read_page']['read'], readonly ('element' | 'value' | 'by')[]>> = {
  find: ['by', 'value'],
  text: ['element'],
  tag: ['element'],
  attribute: ['element', 'value'],
  property: ['element', 'value'],
  style: ['element', 'value'],
  rect: ['element'],
  displayed: ['element'],
  enabled: ['element'],
  selected: ['element'],
  field: ['element'],
}

export const readPage = async (params: ParamsOf['read_page'], options: HostStepOptions): Promise<StepData> => {
  const { read, applicationId, page, frames = [], element, by, value, index, most = PAGE_FOUND.default } = params
  if (read === 'pages') return { answer: JSON.stringify(await pagesOf(applicationId, options)) }
  if (applicationId === undefined || page === undefined)
    throw invalid(`to read ${read} of a page, applicationId and page are needed`)
  const missing = NEEDS[read]?.find(name => params[name] === undefined)
  if (missing !== undefined) throw invalid(`to read ${read}, ${missing} is needed`)
  if (read === 'frame' && element === undefined && index === undefined)
    throw invalid('to read frame, element or index is needed')
  const ask = { operation: read, frames, element, by, value, index, most }
  return { answer: JSON.stringify((await askProgram({ applicationId, page }, ask, options)) ?? null) }
}

/** The browser's word for an answer without a document: a status of 204, or a download. */
const ABORTED = 'net::ERR_ABORTED'

const navigated = (result: unknown, url: string): void => {
  const problem = isObject(result) ? result.errorText : undefined
  if (typeof problem === 'string' && problem !== '')
    throw new StepFailure('PAGE_REFUSED', `the page cannot go to ${url}: ${problem.slice(0, 100)}`, {
      data: { reason: 'not reached' },
      hint:
        problem === ABORTED
          ? 'The address was asked for, and answered no document, such as a download: the page stays as it was.'
          : 'The page was left: its elements are gone, and it shows an error. Correct the address, look whether the phone has a network, or go back.',
    })
}

/** The page answers once the other document is there, or known not to come: an address that does not answer takes its time. */
const askMethod = async (
  name: PageName,
  request: { method: string; params?: Record<string, unknown> },
  options: HostStepOptions,
): Promise<unknown> => {
  const { socket, target } = await findPage(name, inspectingWith(options))
  const whole = inspectingWith(options, Number.POSITIVE_INFINITY)
  return await inPage(name, inspectingWith(options), async () => {
    try {
      return await overSocket(socket, whole, on => askInspector(on, target, { ...request, mayAct: options.mayAct }))
    } catch (error) {
      if (problemOf(error).message !== TOO_LATE) throw error
      throw new StepFailure('NAVIGATION_TIMEOUT', 'the page did not show the other document in time', {
        hint: 'Give the execution a longer `timeoutMs`, or the WebDriver session a longer timeout pageLoad, if the server is slow. The other document may still come.',
      })
    }
  })
}

export const changePage = async (params: ParamsOf['change_page'], options: HostStepOptions): Promise<StepData> => {
  const { applicationId, page, frames = [], change, element, uri } = params
  const name = { applicationId, page }
  if (change === 'navigate') {
    if (uri === undefined) throw invalid('to navigate, uri is needed')
    if (!URL.canParse(uri))
      throw new StepFailure(
        'PAGE_REFUSED',
        `${JSON.stringify(uri.slice(0, 100))} is no address that a browser can go to`,
        {
          data: { reason: 'invalid address' },
          hint: 'Correct the address. Nothing was sent to the page.',
        },
      )
    navigated(await askMethod(name, { method: 'Page.navigate', params: { url: uri } }, options), uri)
  } else if (change === 'reload') await askMethod(name, { method: 'Page.reload' }, options)
  else {
    if ((change === 'clear' || change === 'choose') && element === undefined)
      throw invalid(`to ${change}, element is needed`)
    await askProgram(name, { operation: change, frames, element }, options, { mayAct: options.mayAct })
  }
  return { change }
}

export const runPageScript = async (params: ParamsOf['page_script'], options: HostStepOptions): Promise<StepData> => {
  const { applicationId, page, frames = [], script, isAsync, timeoutMs } = params
  const args = parsedJson(params.args)
  if (!Array.isArray(args)) throw invalid('args must be a JSON array as a text')
  const late = () =>
    new StepFailure('PAGE_SCRIPT_FAILED', `the script did not end within ${timeoutMs} ms`, {
      data: { reason: 'timeout' },
    })
  const begun = options.clock.elapsed()
  try {
    const ask = { operation: 'script', frames, script, args, isAsync, timeoutMs }
    const value = await askProgram({ applicationId, page }, ask, options, {
      // The engine takes 0 for no limit.
      evaluationMs: Math.max(1, timeoutMs),
      answerMs: timeoutMs + SCRIPT_GRACE_MS,
      awaitPromise: true,
      mayAct: options.mayAct,
    })
    return { value: JSON.stringify(value ?? null) }
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error
    if (error.data.reason === 'timeout') throw late()
    const isUnanswered = error.code === 'PAGE_UNREADABLE'
    if (isUnanswered && error.message.endsWith(DOCUMENT_LEFT))
      throw new StepFailure('PAGE_SCRIPT_FAILED', DOCUMENT_LEFT, { data: { reason: 'error' } })
    if (isUnanswered && options.clock.elapsed() - begun >= timeoutMs) throw late()
    throw error
  }
}
