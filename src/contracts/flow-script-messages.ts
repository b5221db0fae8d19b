/** The messages of the process of scripts, read as a stranger's: a script may have taken it over. */
import * as v from 'valibot'
import { SCRIPT_REQUEST_CHARS_MAX, SCRIPT_REQUEST_ENTRIES_MAX } from './limits/limits.ts'

const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const FromScriptsMessage = v.variant('type', [
  v.strictObject({ type: v.picklist(['request', 'log', 'answer']) }),
  v.strictObject({ type: v.literal('clock'), reading: Count, elapsedMs: Count }),
])

const entries = <Value extends v.GenericSchema>(value: Value) =>
  v.pipe(
    v.record(v.string(), value),
    v.check(record => Object.keys(record).length <= SCRIPT_REQUEST_ENTRIES_MAX),
  )

const Request = v.strictObject({
  method: v.string(),
  url: v.string(),
  headers: entries(v.string()),
  body: v.optional(v.string()),
  form: v.optional(
    entries(v.union([v.string(), v.strictObject({ filePath: v.string(), mediaType: v.optional(v.string()) })])),
  ),
  timeoutMs: v.optional(v.pipe(v.number(), v.finite(), v.minValue(0))),
})

/** Throws for what is not a message. */
export const readMessage = (head: unknown): v.InferOutput<typeof FromScriptsMessage> => {
  const message = v.safeParse(FromScriptsMessage, head)
  if (message.success) return message.output
  throw new Error('it is not a message of a script')
}

const Line = v.strictObject({
  text: v.string(),
  label: v.exactOptional(v.string()),
  line: v.exactOptional(Count),
})

export const readLoggedLine = (text: string): v.InferOutput<typeof Line> => {
  const line = v.safeParse(Line, JSON.parse(text))
  if (line.success) return line.output
  throw new Error('it is not a line of the console of a script')
}

/** Returns the text of the request as it came, for its digest. */
export const readRequest = (text: string): string => {
  if (text.length <= SCRIPT_REQUEST_CHARS_MAX && v.is(Request, JSON.parse(text))) return text
  throw new Error('it is not a request of a script')
}
