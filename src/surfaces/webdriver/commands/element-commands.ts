/** Commands on one element: it is touched, typed into, and read. */
import { readFile, rm } from 'node:fs/promises'
import { isTextField } from '../../../contracts/device/role.ts'
import { contentOf, type UiNode } from '../../../contracts/device/ui-tree.ts'
import { ERASED_CHARACTERS } from '../../../contracts/limits/gesture-limits.ts'
import { attributeOf, isDisplayed, rectOf, textOf } from '../elements/element-facts.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import type { LiveSession, SessionStep } from '../session/live-session.ts'
import type { CommandInput, SessionCommand } from './command.ts'
import { elementMatcher, type SeenElement, seeElement } from './elements.ts'
import { typingSteps } from './typed-keys.ts'

const tap: SessionCommand['run'] = async (session, { path }) => {
  await session.act([{ type: 'click', params: { matcher: elementMatcher(session, path.elementId) } }])
  return null
}

const holdsField = ({ children }: UiNode): boolean => children.some(child => isTextField(child) || holdsField(child))

/** The text of the field is erased from its end on; an empty field is left as it is. */
const clear: SessionCommand['run'] = async (session, { path }) => {
  const { found } = await seeElement(session, path.elementId)
  if (!isTextField(found.node) && !holdsField(found.node))
    throw new WebDriverError(
      'invalid element state',
      `The element is a ${found.node.className}, and only fields have a text that can be cleared.`,
    )
  const characters = [...contentOf(found.node)].length
  if (characters === 0) return null
  const erasing: SessionStep[] = []
  for (let left = characters; left > 0; left -= ERASED_CHARACTERS.max)
    erasing.push({ type: 'erase_text', params: { characters: Math.min(left, ERASED_CHARACTERS.max) } })
  await session.act([
    { type: 'click', params: { matcher: elementMatcher(session, path.elementId), clickType: 'focus' } },
    { type: 'press_key', params: { key: 'move_end' } },
    ...erasing,
  ])
  return null
}

export const typedText = ({ text, value }: CommandInput['body']): string => {
  if (typeof text === 'string') return text
  if (text !== undefined) throw new WebDriverError('invalid argument', 'text must be a text.')
  const isWire = Array.isArray(value)
  throw new WebDriverError(
    'invalid argument',
    isWire
      ? 'The body has value alone, a list of characters, which is of JSON Wire. Send text, as W3C WebDriver has it: {"text": "..."}.'
      : 'The body must have text.',
  )
}

const type: SessionCommand['run'] = async (session, { path, body }) => {
  const steps = typingSteps(typedText(body), elementMatcher(session, path.elementId))
  if (steps.length > 0) await session.act(steps)
  return null
}

const reading =
  (read: (seen: SeenElement, input: CommandInput) => unknown): SessionCommand['run'] =>
  async (session, input) =>
    read(await seeElement(session, input.path.elementId), input)

const attribute = ({ found, screen: { tree } }: SeenElement, { path }: CommandInput): string | null => {
  const read = attributeOf(found, path.name ?? '', { tree })
  if (read.ok) return read.value
  throw new WebDriverError('invalid argument', read.message)
}

/** Pictures leave with the answer, and nothing of them stays on this host. */
export const takePicture = async (
  session: LiveSession,
  matcher?: Readonly<Record<string, unknown>>,
): Promise<string> => {
  const [step] = await session.act([{ type: 'take_screenshot', params: matcher === undefined ? {} : { matcher } }])
  const path = step?.data.path
  if (path === undefined) throw new WebDriverError('unable to capture screen', 'The phone answered no picture.')
  try {
    return (await readFile(path)).toString('base64')
  } catch (error) {
    throw new WebDriverError('unable to capture screen', `The picture cannot be read: ${(error as Error).message}.`)
  } finally {
    await rm(path, { force: true })
  }
}

export const ELEMENT_COMMANDS: readonly SessionCommand[] = [
  { method: 'POST', path: '/element/:elementId/click', summary: 'Taps an element.', run: tap },
  { method: 'POST', path: '/element/:elementId/clear', summary: 'Erases the text of a field.', run: clear },
  {
    method: 'POST',
    path: '/element/:elementId/value',
    summary: 'Types text, and presses keys, in a field.',
    run: type,
  },
  {
    method: 'GET',
    path: '/element/:elementId/text',
    summary: 'The text of an element.',
    run: reading(({ found }) => textOf(found.node)),
  },
  {
    method: 'GET',
    path: '/element/:elementId/attribute/:name',
    summary: 'An attribute of an element, as a text.',
    run: reading(attribute),
  },
  {
    method: 'GET',
    path: '/element/:elementId/property/:name',
    summary: 'The same as attribute: native elements have no properties of their own.',
    run: reading(attribute),
  },
  {
    method: 'GET',
    path: '/element/:elementId/displayed',
    summary: 'Whether an element is displayed.',
    run: reading(({ found }) => isDisplayed(found.node)),
  },
  {
    method: 'GET',
    path: '/element/:elementId/enabled',
    summary: 'Whether an element is enabled.',
    run: reading(({ found }) => found.node.enabled),
  },
  {
    method: 'GET',
    path: '/element/:elementId/selected',
    summary: 'Whether an element is selected.',
    run: reading(({ found }) => found.node.selected),
  },
  {
    method: 'GET',
    path: '/element/:elementId/rect',
    summary: 'Where an element is, and how large.',
    run: reading(({ found }) => rectOf(found.node)),
  },
  {
    method: 'GET',
    path: '/element/:elementId/name',
    summary: 'The class of an element.',
    run: reading(({ found }) => found.node.className),
  },
  {
    method: 'GET',
    path: '/element/:elementId/screenshot',
    summary: 'A picture of an element, as base64 of a PNG.',
    run: (session, { path }) => takePicture(session, elementMatcher(session, path.elementId)),
  },
]
