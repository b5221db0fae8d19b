/** Puts the pages of a screen's web views into its tree: over the link, by the inspector of the app's own web views. */
import { bounded, onAbort } from '../../adb/bounded.ts'
import { type Link, LinkError, type LinkSocket } from '../../adb/link.ts'
import { inSlices } from '../../runtime/slices.ts'
import type { WebQuery } from '../engine/flow-words.ts'
import { withAncestors } from '../engine/match.ts'
import { StepFailure } from '../engine/step-failure.ts'
import type { UiNode, UiTree } from '../engine/ui-tree.ts'
import { deviceShell, type ShellOptions } from '../shell/device-shell.ts'
import { devtoolsSockets } from './devtools-sockets.ts'
import { askPage, type PageAnswer } from './page-answer.ts'
import { type ListedPage, listPages } from './page-list.ts'
import { withPage } from './page-nodes.ts'
import { PageProblem } from './page-problem.ts'
import { candidatesFor, type WebView, webViewsIn } from './web-views.ts'

/** One answer of an inspector; one that needs longer hangs, or waits for a person. */
const ANSWER_MS = 5_000

interface PageReading {
  link: Link
  options: ShellOptions
  query: WebQuery
  /** When the tree is of no use any more. */
  until: number
}

const NOT_INSPECTABLE = 'the app does not let its web views be inspected'
const NOT_INSPECTABLE_HINT =
  'Call WebView.setWebContentsDebuggingEnabled(true) in a build of the app for tests, or open the page in Chrome. ' +
  'Elements that the screen shows by itself are found by text and id.'

const problemOf = (error: unknown): PageProblem => {
  if (error instanceof PageProblem) return error
  if (error instanceof LinkError && error.code === 'LINK_TIMEOUT') return new PageProblem('it did not answer in time')
  if (error instanceof LinkError && error.code === 'LINK_SOCKET_REFUSED')
    return new PageProblem('it closed the connection')
  if (error instanceof LinkError && error.code === 'DEVICE_OUTPUT_TOO_LARGE') return new PageProblem(error.message)
  throw error
}

const overSocket = <T>(
  name: string,
  { link, options: { clock, deadline, signal }, until }: PageReading,
  work: (socket: LinkSocket) => Promise<T>,
): Promise<T> => {
  const end = Math.min(deadline, until, clock.now() + ANSWER_MS)
  const bounds = { clock, what: name, deadline: end, signal, lost: link.lost }
  return bounded(bounds, async stop => {
    const socket = await link.socket(`localabstract:${name}`, { deadline: end, signal: stop })
    const forget = onAbort(stop, () => socket.close())
    try {
      return await work(socket)
    } finally {
      forget()
      socket.close()
    }
  })
}

interface Listed {
  pages: ListedPage[]
  problem?: PageProblem | undefined
}

const listAll = async (sockets: readonly string[], reading: PageReading): Promise<Listed> => {
  const listed: Listed = { pages: [] }
  for (const name of sockets) {
    try {
      listed.pages.push(...(await overSocket(name, reading, socket => listPages(socket, name))))
    } catch (error) {
      listed.problem = problemOf(error)
    }
  }
  return listed
}

const ask = async ({ socket: name, target }: ListedPage, reading: PageReading): Promise<PageAnswer> => {
  if (target === undefined) throw new PageProblem('another debugger is attached to it')
  const answer = await overSocket(name, reading, socket => askPage(socket, target, reading.query))
  if (!('refused' in answer)) return answer
  throw new StepFailure(
    'EXECUTION_ACTION_UNSUPPORTED',
    `the page does not take the css selector ${JSON.stringify(answer.refused)}: ${answer.reason}`,
    {
      data: { invalid_selector: answer.refused },
      hint: 'Correct the selector: it is one of document.querySelectorAll.',
    },
  )
}

type Shown = { view: WebView; children: UiNode[] } | { view: WebView; problem: PageProblem }

/** The first of its candidates that is shown. A page is shown by one view alone. */
const readView = async (view: WebView, pages: ListedPage[], reading: PageReading): Promise<Shown> => {
  let problem = new PageProblem('its inspector lists no page for it')
  for (const listed of candidatesFor(view, pages)) {
    try {
      const page = await ask(listed, reading)
      if (page.isHidden || page.view.width <= 0 || page.view.height <= 0) continue
      pages.splice(pages.indexOf(listed), 1)
      const bounds = listed.bounds ?? view.found.node.bounds
      const shown = { view: view.found.node, bounds, page, css: reading.query.css }
      return { view, children: await inSlices(withPage(shown), reading.options) }
    } catch (error) {
      problem = problemOf(error)
    }
  }
  return { view, problem }
}

/** The tree with other children in these views: new nodes on the way to them, and the same ones beside it. */
const withChildren = (tree: UiTree, children: ReadonlyMap<WebView, UiNode[]>): UiTree => {
  const given = new Map([...children].map(([{ found }, nodes]) => [found.node, nodes]))
  const onTheWay = new Set(
    [...children.keys()].flatMap(({ found }) => [...withAncestors(found)].map(({ node }) => node)),
  )
  const copied = (node: UiNode): UiNode =>
    onTheWay.has(node) ? { ...node, children: given.get(node) ?? node.children.map(copied) } : node
  return { ...tree, roots: tree.roots.map(copied) }
}

export const readPages = async (tree: UiTree, reading: PageReading): Promise<UiTree> => {
  const { options, link, until } = reading
  const views = await inSlices(webViewsIn(tree.roots), options)
  if (views.length === 0) return tree
  const packages = [...new Set(views.map(({ found }) => found.node.packageName))]
  const unread = (reason: string, hint?: string): UiTree => ({ ...tree, unreadPages: { reason, hint } })
  const found = await devtoolsSockets(deviceShell(link, options), packages, until).catch(problemOf)
  if (found instanceof PageProblem) return unread(`the sockets of web views cannot be listed: ${found.message}`)
  if (found.length === 0) return unread(NOT_INSPECTABLE, NOT_INSPECTABLE_HINT)
  const { pages, problem } = await listAll(found, reading)
  const children = new Map<WebView, UiNode[]>()
  let missing = pages.length === 0 ? problem : undefined
  for (const view of views) {
    const shown = await readView(view, pages, reading)
    if ('children' in shown) children.set(view, shown.children)
    else missing ??= problem ?? shown.problem
  }
  const read = withChildren(tree, children)
  return missing ? { ...read, unreadPages: { reason: `a web view could not be read: ${missing.message}` } } : read
}
