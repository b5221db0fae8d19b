/** The arguments and results of scripts: elements have ids for clients, and handles for the page. */
import * as v from 'valibot'
import { PageHandle } from '../../../contracts/device/page-element.ts'
import { isObject } from '../../../contracts/json/json.ts'
import { ELEMENT_KEY, elementValue } from '../commands/elements.ts'
import type { LiveSession } from '../session/live-session.ts'
import { handleOf, idOfHandle } from './page-calls.ts'

const mapped = (value: unknown, element: (name: string) => unknown): unknown => {
  if (Array.isArray(value)) return value.map(each => mapped(each, element))
  if (!isObject(value)) return value
  const name = value[ELEMENT_KEY]
  if (typeof name === 'string') return element(name)
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapped(each, element)]))
}

/** Throws `no such element` for an id that is none of the page. */
export const withHandles = (session: LiveSession, value: unknown): unknown =>
  mapped(value, id => ({ [ELEMENT_KEY]: handleOf(session, id) }))

/** A value that only looks like an element stays as it is. */
export const withIds = (session: LiveSession, value: unknown): unknown =>
  mapped(value, handle =>
    v.is(PageHandle, handle) ? elementValue(idOfHandle(session, handle)) : { [ELEMENT_KEY]: handle },
  )
