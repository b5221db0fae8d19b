/** Finds elements in the page of the context, as long as the implicit wait says, and while the page is loading. */
import * as v from 'valibot'
import { PAGE_LOCATORS, type PageLocator } from '../../../contracts/actions/page.ts'
import { PAGE_LABEL_CHARS_MAX, PageHandle, PageLabel } from '../../../contracts/device/page-element.ts'
import { PAGE_FOUND } from '../../../contracts/limits/page-limits.ts'
import { pause } from '../../../runtime/clock.ts'
import { didYouMean } from '../../../runtime/text/nearest-word.ts'
import { shortenedText, shortText } from '../../../runtime/text/shortened-text.ts'
import type { CommandInput, SessionCommand } from '../commands/command.ts'
import { elementValue } from '../commands/elements.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import type { LiveSession } from '../session/live-session.ts'
import { lookAgainAfter } from './loading.ts'
import { handleOf, idOfHandle, readPage } from './page-calls.ts'

const Found = v.object({ found: v.pipe(v.array(PageHandle), v.maxLength(PAGE_FOUND.max)), isLoading: v.boolean() })

const locatorIn = ({ using, value }: CommandInput['body']): { by: PageLocator; value: string } => {
  if (typeof using !== 'string')
    throw new WebDriverError('invalid argument', 'The body must have using, the name of a locator strategy.')
  if (typeof value !== 'string')
    throw new WebDriverError('invalid argument', 'The body must have value, the selector as a text.')
  const by = PAGE_LOCATORS.find(each => each === using)
  if (!by)
    throw new WebDriverError(
      'invalid selector',
      `The locator strategy ${shortText(using)} is not one of pages.${didYouMean(using, PAGE_LOCATORS)} Expected one of ${PAGE_LOCATORS.join(', ')}; others work in the context NATIVE_APP.`,
    )
  if (value === '')
    throw new WebDriverError('invalid selector', `The locator strategy ${by} needs a value that is not empty.`)
  return { by, value }
}

const search = async (session: LiveSession, { body, path }: CommandInput, most?: number): Promise<string[]> => {
  const { clock, timeouts, ended } = session
  const begun = clock.elapsed()
  const within = path.elementId === undefined ? {} : { element: handleOf(session, path.elementId) }
  const query = { read: 'find' as const, ...locatorIn(body), ...within, ...(most === undefined ? {} : { most }) }
  for (let looks = 0; ; looks++) {
    const { found, isLoading } = await readPage(session, query, Found)
    const left = begun + (isLoading ? timeouts.pageLoad : timeouts.implicit) - clock.elapsed()
    if (found.length > 0 || left <= 0 || ended.aborted) return found
    await pause(clock, Math.min(left, lookAgainAfter(looks)), ended)
  }
}

const FOUND_AS: Partial<Readonly<Record<PageLocator, (value: string) => string>>> = {
  'css selector': value => value,
  xpath: value => value,
  id: value => `#${value}`,
}

/** In receipts an element is called by the selector that found it. */
const labelOf = ({ body }: CommandInput, position?: number): string | undefined => {
  const { by, value } = locatorIn(body)
  const place = position === undefined ? '' : ` [${position + 1}]`
  const words = (FOUND_AS[by]?.(value) ?? `${by} ${value}`).replace(/\s+/g, ' ').trim()
  const label = `${shortenedText(words, PAGE_LABEL_CHARS_MAX - place.length)}${place}`
  return v.is(PageLabel, label) ? label : undefined
}

export const findOne: SessionCommand['run'] = async (session, input) => {
  const [found] = await search(session, input, 1)
  if (found !== undefined) return elementValue(idOfHandle(session, found, labelOf(input)))
  const { by, value } = locatorIn(input.body)
  const waited = session.timeouts.implicit > 0 ? ` within ${session.timeouts.implicit} ms` : ''
  throw new WebDriverError(
    'no such element',
    `No element of the page is found by ${by} ${JSON.stringify(shortText(value))}${waited}.`,
  )
}

export const findAll: SessionCommand['run'] = async (session, input) =>
  (await search(session, input)).map((handle, at) => elementValue(idOfHandle(session, handle, labelOf(input, at))))

export const active: SessionCommand['run'] = async session =>
  elementValue(idOfHandle(session, await readPage(session, { read: 'active' }, PageHandle)))
