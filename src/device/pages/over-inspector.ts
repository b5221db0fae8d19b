/** Conversations with the inspectors of an app's web views over the link, each of a bounded time, and what they list. */
import { bounded, onAbort } from '../link/bounded.ts'
import { type Link, LinkError, type LinkSocket } from '../link/link.ts'
import type { ShellOptions } from '../operators/shell/device-shell.ts'
import { type ListedPage, listPages } from './page-list.ts'
import { PageProblem } from './page-problem.ts'

/** One answer of an inspector; one that needs longer hangs, or waits for a person. */
export const ANSWER_MS = 5_000

export interface Inspecting {
  link: Link
  options: ShellOptions
  /** When the answer is of no use any more. */
  until: number
  /** How long one answer may take. */
  answerMs?: number | undefined
}

export const NOT_INSPECTABLE = 'the app does not let its web views be inspected'
export const NOT_INSPECTABLE_HINT =
  'Call WebView.setWebContentsDebuggingEnabled(true) in a build of the app for tests, or open the page in Chrome. ' +
  'Elements that the screen shows by itself are found by text and id.'

export const TOO_LATE = 'it did not answer in time'

export const problemOf = (error: unknown): PageProblem => {
  if (error instanceof PageProblem) return error
  if (error instanceof LinkError && error.code === 'LINK_TIMEOUT') return new PageProblem(TOO_LATE)
  if (error instanceof LinkError && error.code === 'LINK_SOCKET_REFUSED')
    return new PageProblem('it closed the connection')
  if (error instanceof LinkError && error.code === 'DEVICE_OUTPUT_TOO_LARGE') return new PageProblem(error.message)
  throw error
}

export const overSocket = <T>(
  name: string,
  { link, options: { clock, deadline, signal }, until, answerMs = ANSWER_MS }: Inspecting,
  work: (socket: LinkSocket) => Promise<T>,
): Promise<T> => {
  const end = Math.min(deadline, until, clock.now() + answerMs)
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

/** So many inspectors are asked at once: one that is silent does not hold up the others. */
const SIDE_BY_SIDE = 8

/** Each inspector gives its pages, or the reason why it cannot be asked. */
export const listEach = async (
  sockets: readonly string[],
  inspecting: Inspecting,
): Promise<Map<string, ListedPage[] | PageProblem>> => {
  const answers = new Map<string, ListedPage[] | PageProblem>()
  const left = sockets[Symbol.iterator]()
  const askInTurn = async () => {
    for (const name of left)
      answers.set(name, await overSocket(name, inspecting, socket => listPages(socket, name)).catch(problemOf))
  }
  await Promise.all(Array.from({ length: Math.min(SIDE_BY_SIDE, sockets.length) }, askInTurn))
  return answers
}

interface Listed {
  pages: ListedPage[]
  problem?: PageProblem | undefined
}

/** An inspector that cannot be asked is passed over; the last one says why. */
export const listAll = async (sockets: readonly string[], inspecting: Inspecting): Promise<Listed> => {
  const answers = await listEach(sockets, inspecting)
  const listed: Listed = { pages: [] }
  for (const name of sockets) {
    const answer = answers.get(name) ?? []
    if (answer instanceof PageProblem) listed.problem = answer
    else listed.pages.push(...answer)
  }
  return listed
}
