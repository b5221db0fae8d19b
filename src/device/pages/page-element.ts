/** The element of a page that a step touches: the page brings it into view and says where it is, and the screen has it as a node. */
import type { PageElement } from '../../contracts/device/page-element.ts'
import type { UiTree } from '../../contracts/device/ui-tree.ts'
import { inSlices } from '../../runtime/yielding.ts'
import { findPage, inPage } from './find-page.ts'
import { evaluateInPage } from './inspector-reply.ts'
import { type Inspecting, overSocket } from './over-inspector.ts'
import { EVALUATION_MS, type PageAnswer, readPageAnswer } from './page-answer.ts'
import { answeredValue, refusedByPage } from './page-answers.ts'
import type { ListedPage } from './page-list.ts'
import { withPage } from './page-nodes.ts'
import { pageProgram } from './page-program.ts'
import { likeness, type WebView, webViewsIn, withChildren } from './web-views.ts'

const likeliest = (views: readonly WebView[], page: ListedPage): WebView | undefined =>
  views
    .flatMap(view => {
      const rank = likeness(view, page)
      return rank === undefined ? [] : [{ view, rank }]
    })
    .sort((a, b) => b.rank - a.rank)[0]?.view

/** Throws StepFailure where the element cannot be touched. */
export const withPageElement = async (
  tree: UiTree,
  pageElement: PageElement,
  inspecting: Inspecting,
): Promise<UiTree> => {
  const { applicationId, frames = [], element } = pageElement
  const listed = await findPage(pageElement, inspecting)
  const program = pageProgram({ operation: 'place', frames, element })
  const answer = await inPage(pageElement, inspecting, () =>
    overSocket(listed.socket, inspecting, async socket => {
      const evaluated = await evaluateInPage(socket, listed.target, program, { timeoutMs: EVALUATION_MS })
      return readPageAnswer(answeredValue(evaluated), { css: [], all: false }) as PageAnswer
    }),
  )
  const hidden = () => refusedByPage('not interactable', 'the page of the element is not on the screen')
  if (answer.isHidden || answer.view.width <= 0 || answer.view.height <= 0) throw hidden()
  const views = await inSlices(webViewsIn(tree.roots), inspecting.options)
  const view = likeliest(
    views.filter(({ found }) => found.node.packageName === applicationId),
    listed,
  )
  if (!view) throw hidden()
  const emptyView = { ...view.found.node, children: [] }
  const bounds = listed.bounds ?? emptyView.bounds
  const [node] = await inSlices(withPage({ view: emptyView, bounds, page: answer, css: [] }), inspecting.options)
  if (!node)
    throw refusedByPage('not interactable', 'the element is outside of the part of the page that is on the screen')
  return withChildren(tree, new Map([[view, [{ ...node, pageElement: element }]]]))
}
