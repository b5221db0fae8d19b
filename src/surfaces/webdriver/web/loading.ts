/** Waits until the page of the context has loaded, at most as long as the timeout pageLoad says. */
import * as v from 'valibot'
import { pause } from '../../../runtime/clock.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import type { LiveSession } from '../session/live-session.ts'
import { readPage } from './page-calls.ts'

const State = v.object({
  title: v.string(),
  url: v.string(),
  readyState: v.string(),
  document: v.string(),
  isHidden: v.boolean(),
})
export type PageState = v.InferOutput<typeof State>

/** The first look comes after a touch has reached the page. */
const FIRST_LOOK_MS = 50
const LOOK_AGAIN_MS = { first: 100, longest: 1_000 } as const
/** A page that has no history stays as it is: it is waited for so long. */
const CHANGE_MS = 1_000

export const pageState = (session: LiveSession): Promise<PageState> => readPage(session, { read: 'state' }, State)

/** Grows with each look, so that a long wait makes few executions. */
export const lookAgainAfter = (looks: number): number =>
  Math.min(LOOK_AGAIN_MS.longest, LOOK_AGAIN_MS.first * 1.5 ** looks)

const isSame = (a: PageState, b: PageState) => a.document === b.document && a.url === b.url

/** `before` is the page that is to be left. Throws `timeout`. */
export const whenLoaded = async (session: LiveSession, before?: PageState): Promise<void> => {
  const { clock, timeouts, ended } = session
  const begun = clock.elapsed()
  for (let looks = 0; ; looks++) {
    const state = await pageState(session)
    const waited = clock.elapsed() - begun
    const isLeft = before === undefined || !isSame(state, before) || waited >= CHANGE_MS
    if (isLeft && state.readyState === 'complete') return
    if (ended.aborted) return
    if (waited >= timeouts.pageLoad)
      throw new WebDriverError('timeout', `The page ${state.url} did not load within ${timeouts.pageLoad} ms.`)
    await pause(clock, lookAgainAfter(looks), ended)
  }
}

/** A touch may lead to another page, which is waited for; one that is gone, or busy, is told by the next command. */
export const settle = async (session: LiveSession): Promise<void> => {
  const { clock, ended } = session
  await pause(clock, FIRST_LOOK_MS, ended)
  const looking: LiveSession = {
    ...session,
    perform: (steps, options) => session.perform(steps, { ...options, isFollowUp: true }),
  }
  await whenLoaded(looking).catch((error: unknown) => {
    const isOfPage = error instanceof WebDriverError && ['no such window', 'unknown error'].includes(error.error)
    if (!isOfPage) throw error
  })
}
