/** Reads the options of `am instrument -e` as leniently as the snapshot helper does. */

export interface Options {
  waitForIdleTimeoutMs: number
  waitForIdleQuietMs: number
  timeoutMs: number
  maxDepth: number
  maxNodes: number
}

export type Arguments = ReadonlyMap<string, string>

const USUAL: Options = {
  waitForIdleTimeoutMs: 500,
  waitForIdleQuietMs: 100,
  timeoutMs: 8_000,
  maxDepth: 128,
  maxNodes: 5_000,
}
const WHOLE = /^[-+]?\d+$/

const textIn = (args: Arguments, name: string): string | undefined => args.get(name)?.trim() || undefined

/** Nothing below 0; what is not a number counts as not said. */
const numberIn = (args: Arguments, name: string, otherwise: number): number => {
  const text = textIn(args, name)
  return text !== undefined && WHOLE.test(text) ? Math.max(0, Number(text)) : otherwise
}

export const optionsIn = (args: Arguments): Options => ({
  waitForIdleTimeoutMs: numberIn(args, 'waitForIdleTimeoutMs', USUAL.waitForIdleTimeoutMs),
  waitForIdleQuietMs: numberIn(args, 'waitForIdleQuietMs', USUAL.waitForIdleQuietMs),
  timeoutMs: numberIn(args, 'timeoutMs', USUAL.timeoutMs),
  maxDepth: numberIn(args, 'maxDepth', USUAL.maxDepth),
  maxNodes: numberIn(args, 'maxNodes', USUAL.maxNodes),
})

/** The answers repeat the options in this form. */
export const optionFields = (options: Options): Record<string, string> =>
  Object.fromEntries(Object.entries(options).map(([name, value]) => [name, String(value)]))

export const modeIn = (args: Arguments): string => textIn(args, 'mode') ?? 'snapshot'

/** Undefined for a call of its own. */
export const sessionPortIn = (args: Arguments): number | undefined => {
  const port = numberIn(args, 'sessionPort', 0)
  return modeIn(args) === 'snapshot' && port > 0 ? port : undefined
}

export const outputPathIn = (args: Arguments): string | undefined => textIn(args, 'outputPath')

export const payloadIn = (args: Arguments): string => textIn(args, 'payloadBase64') ?? ''

export const wantsChunks = (args: Arguments): boolean => {
  const text = textIn(args, 'emitChunks')
  return text === undefined || text.toLowerCase() === 'true'
}
