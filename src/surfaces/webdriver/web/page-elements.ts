/** Commands on one element of a page: it is touched and typed into on the screen, and read in the page. */
import * as v from 'valibot'
import type { PageRead } from '../../../contracts/actions/page.ts'
import type { CommandInput, SessionCommand } from '../commands/command.ts'
import { takePicture, typedText } from '../commands/element-commands.ts'
import { typingSteps } from '../commands/typed-keys.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import type { LiveSession } from '../session/live-session.ts'
import { settle } from './loading.ts'
import { actInPage, changePage, elementIn, handleOf, PageRefusal, readPage } from './page-calls.ts'
import { withIds } from './page-scripts.ts'

const matcherOf = (session: LiveSession, elementId: string | undefined) => ({
  pageElement: elementIn(session, elementId),
})

const namedIn = (session: LiveSession, elementId: string | undefined) => {
  const { element, label } = elementIn(session, elementId)
  return { element, ...(label === undefined ? {} : { label }) }
}

/** An option has no place on the screen of its own: it is chosen in the page. The refused touch has touched nothing. */
export const click: SessionCommand['run'] = async (session, { path }) => {
  const matcher = matcherOf(session, path.elementId)
  try {
    await actInPage(session, [{ type: 'click', params: { matcher } }])
  } catch (error) {
    if (!(error instanceof PageRefusal && error.reason === 'option')) throw error
    await changePage(session, { change: 'choose', ...namedIn(session, path.elementId) })
  }
  await settle(session)
  return null
}

export const clear: SessionCommand['run'] = async (session, { path }) => {
  await changePage(session, { change: 'clear', ...namedIn(session, path.elementId) })
  return null
}

const Field = v.object({
  kind: v.picklist(['text', 'file', 'option', 'other']),
  isDisplayed: v.boolean(),
  isEnabled: v.boolean(),
  isReadOnly: v.boolean(),
})

export const type: SessionCommand['run'] = async (session, { path, body }) => {
  const text = typedText(body)
  const matcher = matcherOf(session, path.elementId)
  const field = await readPage(session, { read: 'field', element: matcher.pageElement.element }, Field)
  if (field.kind === 'file')
    throw new WebDriverError(
      'unsupported operation',
      'The element chooses files. Push the file to the phone, and choose it in the window that a touch opens, in NATIVE_APP.',
    )
  if (!field.isDisplayed || !field.isEnabled)
    throw new WebDriverError(
      'element not interactable',
      `The element is ${field.isDisplayed ? 'disabled' : 'not displayed'}: nothing was typed.`,
    )
  const steps = typingSteps(text, matcher)
  if (steps.length === 0) return null
  await actInPage(session, steps)
  await settle(session)
  return null
}

const reading =
  <T>(read: PageRead, schema: v.GenericSchema<unknown, T>): SessionCommand['run'] =>
  async (session, { path }: CommandInput) => {
    const named = path.name === undefined ? {} : { value: path.name }
    return await readPage(session, { read, element: handleOf(session, path.elementId), ...named }, schema)
  }

export const text = reading('text', v.string())
export const tagName = reading('tag', v.string())
export const attribute = reading('attribute', v.nullable(v.string()))
export const style = reading('style', v.string())
export const displayed = reading('displayed', v.boolean())
export const enabled = reading('enabled', v.boolean())
export const selected = reading('selected', v.boolean())
export const rect = reading('rect', v.object({ x: v.number(), y: v.number(), width: v.number(), height: v.number() }))

export const property: SessionCommand['run'] = async (session, input) =>
  withIds(session, await reading('property', v.unknown())(session, input))

export const screenshot: SessionCommand['run'] = (session, { path }) =>
  takePicture(session, matcherOf(session, path.elementId))
