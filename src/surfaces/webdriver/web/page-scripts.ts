/**
 * JavaScript of a suite in the page of the context, which is what execute/sync and execute/async are for. In
 * arguments and results, elements have ids for clients, and handles for the page.
 */

import * as v from 'valibot'
import { PageHandle } from '../../../contracts/device/page-element.ts'
import { isObject } from '../../../contracts/json/json.ts'
import { PAGE_SCRIPT_CHARS_MAX, PAGE_SCRIPT_MS } from '../../../contracts/limits/page-limits.ts'
import { ELEMENT_KEY, elementValue } from '../commands/elements.ts'
import { invalid } from '../protocol/arguments.ts'
import type { LiveSession } from '../session/live-session.ts'
import { handleOf, idOfHandle, runPageScript } from './page-calls.ts'

const mapped = (value: unknown, element: (name: string) => unknown): unknown => {
  if (Array.isArray(value)) return value.map(each => mapped(each, element))
  if (!isObject(value)) return value
  const name = value[ELEMENT_KEY]
  if (typeof name === 'string') return element(name)
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapped(each, element)]))
}

/** Throws `no such element` for an id that is none of the page. */
const withHandles = (session: LiveSession, value: unknown): unknown =>
  mapped(value, id => ({ [ELEMENT_KEY]: handleOf(session, id) }))

/** A value that only looks like an element stays as it is. */
export const withIds = (session: LiveSession, value: unknown): unknown =>
  mapped(value, handle =>
    v.is(PageHandle, handle) ? elementValue(idOfHandle(session, handle)) : { [ELEMENT_KEY]: handle },
  )

export interface Script {
  readonly script: string
  readonly args: readonly unknown[]
  readonly isAsync: boolean
}

export const runScript = async (session: LiveSession, { script, args, isAsync }: Script): Promise<unknown> => {
  const written = JSON.stringify(withHandles(session, args))
  if (script.length + written.length > PAGE_SCRIPT_CHARS_MAX)
    throw invalid(
      `The script and its arguments have ${script.length + written.length} characters, and at most ${PAGE_SCRIPT_CHARS_MAX} can be sent.`,
    )
  const timeoutMs = Math.min(session.timeouts.script, PAGE_SCRIPT_MS.max)
  return withIds(session, await runPageScript(session, { script, args: written, isAsync, timeoutMs }))
}
