/** Puts the pages of a screen's web views into its tree: over the link, by the inspector of the app's own web views. */

import type { UiNode, UiTree } from '../../contracts/device/ui-tree.ts'
import { inSlices } from '../../runtime/yielding.ts'
import { deviceShell } from '../operators/shell/device-shell.ts'
import type { WebQuery } from '../screen/patterns/flow-words.ts'
import { StepFailure } from '../screen/step-failure.ts'
import { devtoolsSockets } from './devtools-sockets.ts'
import {
  type Inspecting,
  listAll,
  NOT_INSPECTABLE,
  NOT_INSPECTABLE_HINT,
  overSocket,
  problemOf,
} from './over-inspector.ts'
import { askPage, type PageAnswer } from './page-answer.ts'
import { withPageElement } from './page-element.ts'
import type { ListedPage } from './page-list.ts'
import { withPage } from './page-nodes.ts'
import { PageProblem } from './page-problem.ts'
import { candidatesFor, type WebView, webViewsIn, withChildren } from './web-views.ts'

interface PageReading extends Inspecting {
  query: WebQuery
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
      const shownPage = { view: view.found.node, bounds, page, css: reading.query.css }
      return { view, children: await inSlices(withPage(shownPage), reading.options) }
    } catch (error) {
      problem = problemOf(error)
    }
  }
  return { view, problem }
}

export const readPages = async (tree: UiTree, reading: PageReading): Promise<UiTree> => {
  const { options, link, until, query } = reading
  if (query.element) return await withPageElement(tree, query.element, reading)
  const views = await inSlices(webViewsIn(tree.roots), options)
  if (views.length === 0) return tree
  const packages = [...new Set(views.map(({ found }) => found.node.packageName))]
  const unread = (reason: string, hint?: string): UiTree => ({ ...tree, unreadPages: { reason, hint } })
  const found = await devtoolsSockets(deviceShell(link, options), packages, until).catch(problemOf)
  if (found instanceof PageProblem) return unread(`the sockets of web views cannot be listed: ${found.message}`)
  if (found.length === 0) return unread(NOT_INSPECTABLE, NOT_INSPECTABLE_HINT)
  const { pages: listed, problem } = await listAll(found, reading)
  const pages = listed.filter(({ isShown }) => isShown)
  const children = new Map<WebView, UiNode[]>()
  let missing = pages.length === 0 ? problem : undefined
  for (const view of views) {
    const outcome = await readView(view, pages, reading)
    if ('children' in outcome) children.set(view, outcome.children)
    else missing ??= problem ?? outcome.problem
  }
  const read = withChildren(tree, children)
  return missing ? { ...read, unreadPages: { reason: `a web view could not be read: ${missing.message}` } } : read
}
