/** The validators of read_text. A pattern that comes from a caller is matched with a bound on length and on time. */
import { runInNewContext } from 'node:vm'

export type Validator = 'temperature' | 'version' | 'regex'

/** A longer text fails its validator unread. */
export const VALIDATED_CHARS_MAX = 10_000
/** For one pattern over all texts of a step; a pattern may need exponential time, and the engine cannot be asked first. */
export const PATTERN_MS_MAX = 500

/** A number with a degree sign or a unit, and nothing else: `72°F`, `-3,5 °C`, `21 degrees`. */
const TEMPERATURE = /^[-+−]?\d{1,4}(?:[.,]\d{1,2})?\s?(?:°\s?[CFK]?|℃|℉|[CFK]|degrees?)$/i
/** Numbers joined by dots, perhaps announced and followed by a build: `15`, `v1.2.3`, `Version 10.1 (build 7)`. */
const VERSION = /^(?:v(?:er(?:sion)?)?\.?\s?)?\d{1,9}(?:\.\d{1,9}){0,7}(?:(?:\.[a-z]|[-+_ (])[\w.+() -]{0,64})?$/i

type Validated = { ok: true } | { ok: false; problem: string }

const FITS: Validated = { ok: true }
const misfit = (problem: string): Validated => ({ ok: false, problem })

const quoted = (text: string) => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)

/** The error may come from the script's own realm, so its class says nothing. */
const isTimeout = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

/** Index of the first text that the pattern is not found in, -1 when there is none; in words, why it cannot be said. */
const firstMisfit = (pattern: string, texts: readonly string[]): number | string => {
  // Of all ways to run a pattern only a script with a timeout can be ended by the engine while it backtracks.
  const script = 'const wanted = new RegExp(pattern); JSON.parse(texts).findIndex(text => !wanted.test(text))'
  try {
    return Number(runInNewContext(script, { pattern, texts: JSON.stringify(texts) }, { timeout: PATTERN_MS_MAX }))
  } catch (error) {
    return isTimeout(error)
      ? `matching ${pattern} took longer than ${PATTERN_MS_MAX} ms`
      : `${pattern} is not a valid regular expression`
  }
}

/** A regex is looked for anywhere in the text; the named validators are about the whole of it, trimmed. */
export const validate = (validator: Validator, pattern: string, texts: readonly string[]): Validated => {
  const long = texts.find(text => text.length > VALIDATED_CHARS_MAX)
  if (long !== undefined) {
    return misfit(`the text has ${long.length} characters, and a validator reads at most ${VALIDATED_CHARS_MAX}`)
  }
  if (validator === 'regex') {
    const index = firstMisfit(pattern, texts)
    if (typeof index === 'string') return misfit(index)
    return index < 0 ? FITS : misfit(`the text ${quoted(texts[index] ?? '')} does not match ${pattern}`)
  }
  const expected = validator === 'temperature' ? TEMPERATURE : VERSION
  const other = texts.find(text => !expected.test(text.trim()))
  return other === undefined ? FITS : misfit(`the text ${quoted(other)} is not a ${validator}`)
}
