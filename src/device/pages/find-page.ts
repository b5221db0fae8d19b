/** Finds a page of an application by its id, and tells a page that is gone from one that does not answer. */

import { deviceShell } from '../operators/shell/device-shell.ts'
import { StepFailure } from '../screen/step-failure.ts'
import { devtoolsSockets, runsNow } from './devtools-sockets.ts'
import { type Inspecting, listAll, NOT_INSPECTABLE, NOT_INSPECTABLE_HINT, problemOf } from './over-inspector.ts'
import type { ListedPage } from './page-list.ts'
import { PageProblem } from './page-problem.ts'

export interface PageName {
  applicationId: string
  page: string
}

export type ReachablePage = ListedPage & { target: string }

export const unreadable = ({ message }: PageProblem): StepFailure =>
  new StepFailure('PAGE_UNREADABLE', `the page could not be asked: ${message}`)

const notFound = (page: string, applicationId: string) =>
  new StepFailure('PAGE_NOT_FOUND', `${applicationId} has no page ${page} any more`)

const listed = async ({ applicationId }: PageName, inspecting: Inspecting): Promise<ListedPage[]> => {
  const { link, options, until } = inspecting
  const shell = deviceShell(link, options)
  const sockets = await devtoolsSockets(shell, [applicationId], until)
  if (sockets.length === 0 && (await runsNow(shell, applicationId, until)) === false)
    throw new StepFailure('PAGE_NOT_FOUND', `${applicationId} has no page: it does not run`, {
      hint: 'Start the application, and find its page again.',
    })
  if (sockets.length === 0)
    throw new StepFailure('PAGE_NOT_FOUND', `${applicationId} has no page: it has ended, or ${NOT_INSPECTABLE}`, {
      hint: `Start the application again if it has ended. Otherwise: ${NOT_INSPECTABLE_HINT}`,
    })
  const { pages, problem } = await listAll(sockets, inspecting)
  if (pages.length === 0 && problem) throw problem
  return pages
}

/** Throws StepFailure. */
export const findPage = async (name: PageName, inspecting: Inspecting): Promise<ReachablePage> => {
  try {
    const page = (await listed(name, inspecting)).find(({ id }) => id === name.page)
    if (!page) throw notFound(name.page, name.applicationId)
    const { target } = page
    if (target === undefined) throw new PageProblem('another debugger is attached to it')
    return { ...page, target }
  } catch (error) {
    if (error instanceof StepFailure) throw error
    throw unreadable(problemOf(error))
  }
}

/** Work in a page that was found: when it brings no answer, the page may have gone meanwhile. */
export const inPage = async <T>(name: PageName, inspecting: Inspecting, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StepFailure) throw error
    const problem = problemOf(error)
    const isThere = await listed(name, inspecting).then(
      pages => pages.some(({ id }) => id === name.page),
      () => true,
    )
    throw isThere ? unreadable(problem) : notFound(name.page, name.applicationId)
  }
}
