/** The validators of read_text. A text is read up to a bound on its length. */
import type { PatternResult, PatternTask } from './pattern.ts'

export type Validator = 'temperature' | 'version' | 'regex'

/** A longer text fails its validator unread. */
export const VALIDATED_CHARS_MAX = 10_000

/** A number with a degree sign or a unit, and nothing else: `72°F`, `-3,5 °C`, `21 degrees`. */
const TEMPERATURE = /^[-+−]?\d{1,4}(?:[.,]\d{1,2})?\s?(?:°\s?[CFK]?|℃|℉|[CFK]|degrees?)$/i
/** Numbers joined by dots, perhaps announced and followed by a build: `15`, `v1.2.3`, `Version 10.1 (build 7)`. */
const VERSION = /^(?:v(?:er(?:sion)?)?\.?\s?)?\d{1,9}(?:\.\d{1,9}){0,7}(?:(?:\.[a-z]|[-+_ (])[\w.+() -]{0,64})?$/i

export interface ValidatedTexts extends PatternTask {
  validator: Validator
}

type Validated = { ok: true } | { ok: false; problem: string }

const FITS: Validated = { ok: true }
const misfit = (problem: string): Validated => ({ ok: false, problem })

const quoted = (text: string) => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)

/** A regex is looked for anywhere in the text; the named validators are about the whole of it, trimmed. */
export const validate = async (
  { validator, pattern, texts }: ValidatedTexts,
  match: (task: PatternTask) => Promise<PatternResult>,
): Promise<Validated> => {
  const long = texts.find(text => text.length > VALIDATED_CHARS_MAX)
  if (long !== undefined) {
    return misfit(`the text has ${long.length} characters, and a validator reads at most ${VALIDATED_CHARS_MAX}`)
  }
  if (validator === 'regex') {
    const index = await match({ pattern, texts })
    if (typeof index === 'string') return misfit(index)
    return index < 0 ? FITS : misfit(`the text ${quoted(texts[index] ?? '')} does not match ${pattern}`)
  }
  const expected = validator === 'temperature' ? TEMPERATURE : VERSION
  const other = texts.find(text => !expected.test(text.trim()))
  return other === undefined ? FITS : misfit(`the text ${quoted(other)} is not a ${validator}`)
}
