/** The entries that every action of an execution payload has: an id, a canonical type, and the params of that type. */
import * as v from 'valibot'
import { ID_CHARS_MAX } from '../limits.ts'
import { closedObject } from '../objects.ts'
import { text } from '../text.ts'

export const Id = text(1, ID_CHARS_MAX)
export type Id = v.InferOutput<typeof Id>

export const NoParams = closedObject({})

export const action = <const T extends string, const P extends v.ObjectEntries[string]>(type: T, params: P) =>
  closedObject({ id: Id, type: v.literal(type), params })
