/** Actions of a keyboard: enter_text, press_key. */
import * as v from 'valibot'
import { ENTER_TEXT_CHARS_MAX } from '../limits.ts'
import { KEYS } from '../literals.ts'
import { Matcher } from '../matcher.ts'
import { closedObject } from '../objects.ts'
import { retryEntries } from '../retry.ts'
import { text } from '../text.ts'
import { action } from './shape.ts'

export const EnterText = action(
  'enter_text',
  v.pipe(
    closedObject({
      matcher: Matcher,
      text: text(1, ENTER_TEXT_CHARS_MAX),
      append: v.exactOptional(v.boolean(), false),
      clear: v.exactOptional(v.boolean(), false),
      submit: v.exactOptional(v.boolean(), false),
      ...retryEntries,
    }),
    v.forward(
      v.partialCheck(
        [['append'], ['clear']],
        params => !params.append || !params.clear,
        'only one of append and clear can be true',
      ),
      ['append'],
    ),
    v.metadata({
      not: { required: ['append', 'clear'], properties: { append: { const: true }, clear: { const: true } } },
    }),
  ),
)
export type EnterText = v.InferOutput<typeof EnterText>

/** JSON Schema has no case-insensitive match. */
const IN_ANY_CASE = `^(?:${KEYS.map(key => key.replace(/./g, c => `[${c.toUpperCase()}${c}]`)).join('|')})$`

/** Taken in any case, kept in lower case. */
export const Key = v.pipe(
  v.string(),
  v.metadata({ description: `${KEYS.join(', ')}, in any case`, pattern: IN_ANY_CASE }),
  v.toLowerCase(),
  v.picklist(KEYS),
)
export type Key = v.InferOutput<typeof Key>

export const PressKey = action('press_key', closedObject({ key: Key }))
export type PressKey = v.InferOutput<typeof PressKey>
