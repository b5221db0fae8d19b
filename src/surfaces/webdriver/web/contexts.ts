/** The contexts of a session: the native application, and the web views that let themselves be inspected. */
import * as v from 'valibot'
import { PageApplication } from '../../../contracts/device/page-element.ts'
import { walk } from '../../../contracts/device/ui-tree.ts'
import { pause } from '../../../runtime/clock.ts'
import { didYouMean } from '../../../runtime/text/nearest-word.ts'
import { shortText } from '../../../runtime/text/shortened-text.ts'
import { invalid } from '../protocol/arguments.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import type { LiveSession } from '../session/live-session.ts'
import { IMPLICIT_MS_MAX } from '../session/timeouts.ts'
import { lookAgainAfter } from './loading.ts'
import { type ListedApp, listPages } from './page-calls.ts'

export const NATIVE = 'NATIVE_APP'
/** Selendroid called it NATIVE, and clients of it still do. */
const NATIVE_NAMES = [NATIVE, 'NATIVE']
const PREFIX = 'WEBVIEW_'
const CHROME_SOCKET = 'chrome_devtools_remote'
const WEB_VIEW_CLASS = 'android.webkit.WebView'

const nameOf = ({ applicationId, sockets }: ListedApp): string =>
  `${PREFIX}${sockets.includes(CHROME_SOCKET) ? 'chrome' : applicationId}`

/** A web view without a page is none that commands could be for. */
const webViews = async (session: LiveSession): Promise<ListedApp[]> =>
  (await listPages(session)).filter(({ pages }) => pages.length > 0)

export const contextNames = async (session: LiveSession): Promise<string[]> => [
  NATIVE,
  ...(await webViews(session)).map(nameOf),
]

/** The applications on the screen with a web view that nobody may inspect. */
const closedApps = async (session: LiveSession, open: readonly ListedApp[]): Promise<string[]> => {
  const { tree } = await session.look()
  const webViewNodes = [...walk(tree.roots)].filter(({ node }) => node.className === WEB_VIEW_CLASS)
  const apps = new Set(webViewNodes.map(({ node }) => node.packageName))
  return [...apps].filter(app => !open.some(({ applicationId }) => applicationId === app))
}

const noContext = async (session: LiveSession, name: string): Promise<WebDriverError> => {
  const apps = await listPages(session)
  const open = apps.filter(({ pages }) => pages.length > 0)
  const silent = apps.find(app => nameOf(app) === name && app.problem !== undefined)
  if (silent)
    return new WebDriverError(
      'no such context',
      `The inspector of ${silent.applicationId} could not be asked for the pages of ${name}: ${silent.problem}.`,
    )
  const names = [NATIVE, ...open.map(nameOf)]
  const closed = await closedApps(session, apps)
  const why =
    closed.length === 0
      ? ''
      : ` ${closed.join(' and ')} has a web view on the screen and does not let it be inspected: call WebView.setWebContentsDebuggingEnabled(true) in a build of the app for tests, or open the page in Chrome.`
  return new WebDriverError(
    'no such context',
    `There is no context ${shortText(name)}: there ${names.length > 1 ? 'are' : 'is'} ${names.join(', ')}.${didYouMean(name, names)}${why}`,
  )
}

/** Undefined for a name that no context has. */
const applicationIn = (name: string): string | undefined => {
  const named = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined
  return v.is(PageApplication, named) ? named : undefined
}

/** Other applications are not asked: one that does not answer would hold up the switch. The page that is shown comes first, as a person would mean it. */
export const switchContext = async (session: LiveSession, name: string): Promise<null> => {
  if (NATIVE_NAMES.includes(name)) {
    session.context = NATIVE
    session.web = undefined
    return null
  }
  const named = applicationIn(name)
  const apps = named === undefined ? [] : await listPages(session, named === 'chrome' ? undefined : named)
  const app = apps.find(each => nameOf(each) === name)
  const page = app?.pages.find(({ isShown }) => isShown) ?? app?.pages[0]
  if (!app || !page) throw await noContext(session, name)
  session.context = name
  session.web = { name, applicationId: app.applicationId, page: page.id, frames: [] }
  return null
}

/** Waits for a context by its name, and not longer. */
export const whenThere = async (session: LiveSession, name: string, waitMs: number): Promise<void> => {
  const { clock, ended } = session
  const until = clock.elapsed() + waitMs
  for (let looks = 0; !(await contextNames(session)).includes(name); looks++) {
    const left = until - clock.elapsed()
    if (left <= 0 || ended.aborted) return
    await pause(clock, Math.min(left, lookAgainAfter(looks)), ended)
  }
}

/** Appium's driver tells one for each process, in this form. */
const detailed = (app: ListedApp) =>
  app.sockets.map(socket => ({
    proc: `@${socket}`,
    webview: `${PREFIX}${/_(\d+)$/.exec(socket)?.[1] ?? nameOf(app).slice(PREFIX.length)}`,
    info: { 'Android-Package': app.applicationId },
    pages: app.pages
      .filter(page => page.socket === socket)
      .map(({ id, title, url, description }) => ({ id, title, url, description, type: 'page' })),
    webviewName: nameOf(app),
  }))

export const detailedContexts = async (session: LiveSession, waitMs = 0): Promise<unknown[]> => {
  if (waitMs > IMPLICIT_MS_MAX)
    throw invalid(`The argument waitForWebviewMs of mobile: getContexts must be at most ${IMPLICIT_MS_MAX}.`)
  const { clock, ended } = session
  const until = clock.elapsed() + waitMs
  for (let looks = 0; ; looks++) {
    const open = await webViews(session)
    const left = until - clock.elapsed()
    if (open.length > 0 || left <= 0 || ended.aborted) return open.flatMap(detailed)
    await pause(clock, Math.min(left, lookAgainAfter(looks)), ended)
  }
}
