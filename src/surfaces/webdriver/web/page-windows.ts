/** The pages of a web view as windows, their frames, and going from one page to another. */
import * as v from 'valibot'
import { PageAddress } from '../../../contracts/actions/page.ts'
import { PageHandle } from '../../../contracts/device/page-element.ts'
import { isObject } from '../../../contracts/json/json.ts'
import { EXECUTION_TIMEOUT_MS } from '../../../contracts/limits/limits.ts'
import { PAGE_FRAME_INDEX_MAX } from '../../../contracts/limits/page-limits.ts'
import { shortText } from '../../../runtime/text/shortened-text.ts'
import type { SessionCommand } from '../commands/command.ts'
import { ELEMENT_KEY } from '../commands/elements.ts'
import { invalid } from '../protocol/arguments.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import type { LiveSession } from '../session/live-session.ts'
import { pageState, whenLoaded } from './loading.ts'
import { changePage, contextOf, handleOf, listPages, readPage } from './page-calls.ts'

const pagesOf = async (session: LiveSession) => {
  const { applicationId } = contextOf(session)
  return (await listPages(session, applicationId)).flatMap(({ pages }) => pages)
}

const noWindow = (handle: string, { applicationId }: { applicationId: string }, handles: readonly string[]) =>
  new WebDriverError(
    'no such window',
    `${applicationId} has no window ${handle}: it has ${handles.length === 0 ? 'none' : handles.join(', ')}.`,
  )

export const windowHandle: SessionCommand['run'] = async session => {
  const web = contextOf(session)
  const handles = (await pagesOf(session)).map(({ id }) => id)
  if (handles.includes(web.page)) return web.page
  throw noWindow(web.page, web, handles)
}

export const windowHandles: SessionCommand['run'] = async session => (await pagesOf(session)).map(({ id }) => id)

export const switchWindow: SessionCommand['run'] = async (session, { body: { handle, name = handle } }) => {
  if (typeof name !== 'string') throw invalid('The body must have handle, the handle of a window.')
  const web = contextOf(session)
  const handles = (await pagesOf(session)).map(({ id }) => id)
  if (!handles.includes(name)) throw noWindow(name, web, handles)
  session.web = { ...web, page: name, frames: [] }
  return null
}

const frameAsked = (session: LiveSession, id: unknown) => {
  if (typeof id === 'number' && Number.isSafeInteger(id) && id >= 0) {
    if (id <= PAGE_FRAME_INDEX_MAX) return { index: id }
    throw new WebDriverError(
      'no such frame',
      `There is no frame ${id}: frames have numbers up to ${PAGE_FRAME_INDEX_MAX}.`,
    )
  }
  const element = isObject(id) ? id[ELEMENT_KEY] : undefined
  if (typeof element === 'string') return { element: handleOf(session, element) }
  throw invalid('id must be null for the page itself, the number of a frame, or an element.')
}

export const switchFrame: SessionCommand['run'] = async (session, { body }) => {
  const web = contextOf(session)
  if (!('id' in body))
    throw invalid('The body must have id: null for the page itself, the number of a frame, or an element.')
  if (body.id === null) {
    session.web = { ...web, frames: [] }
    return null
  }
  const frame = await readPage(session, { read: 'frame', ...frameAsked(session, body.id) }, PageHandle)
  session.web = { ...web, frames: [...web.frames, frame] }
  return null
}

export const parentFrame: SessionCommand['run'] = async session => {
  const web = contextOf(session)
  session.web = { ...web, frames: web.frames.slice(0, -1) }
  return null
}

export const title: SessionCommand['run'] = async session => (await pageState(session)).title
export const url: SessionCommand['run'] = async session => (await pageState(session)).url
export const source: SessionCommand['run'] = session => readPage(session, { read: 'source' }, v.string())

const leaving = async (session: LiveSession, params: Parameters<typeof changePage>[1], waits: boolean) => {
  session.web = { ...contextOf(session), frames: [] }
  const before = waits ? await pageState(session) : undefined
  const { pageLoad } = session.timeouts
  const timeoutMs = Math.max(EXECUTION_TIMEOUT_MS.min, Math.min(pageLoad, EXECUTION_TIMEOUT_MS.max))
  await changePage(session, params, { timeoutMs })
  await whenLoaded(session, before)
  return null
}

/** The page answers once the other one is there. */
export const navigate: SessionCommand['run'] = async (session, { body }) => {
  // Browsers encode blanks.
  const uri = typeof body.url === 'string' ? body.url.trim().replaceAll(' ', '%20') : body.url
  if (!v.is(PageAddress, uri))
    throw invalid(
      `url must be an address with a scheme, such as https://shop.example/, and not javascript:, but is ${shortText(JSON.stringify(body.url) ?? 'missing')}.`,
    )
  return await leaving(session, { change: 'navigate', uri }, false)
}
export const back: SessionCommand['run'] = session => leaving(session, { change: 'back' }, true)
export const forward: SessionCommand['run'] = session => leaving(session, { change: 'forward' }, true)
export const refresh: SessionCommand['run'] = session => leaving(session, { change: 'reload' }, true)
