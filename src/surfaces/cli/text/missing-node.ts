/** The message of a node that is not on the screen, in the words of the flag that named it; the envelope keeps the message of the contract. */
import type { EnvelopeError } from '../../../contracts/executions/execution-result.ts'
import { NO_NODE_MESSAGE } from '../../../contracts/failures/step-hints.ts'
import type { Given } from '../command.ts'

const quoted = (value: string) => JSON.stringify(value)

/** Words for the keys of a matcher. */
const SELECTORS: readonly (readonly [flag: string, key: string, words: (value: string) => string])[] = [
  ['text', 'textEquals', value => `the label ${quoted(value)}`],
  ['text-contains', 'textContains', value => `a label with ${quoted(value)} in it`],
  ['id', 'resourceId', value => `the id ${value}`],
  ['desc', 'contentDescEquals', value => `the description ${quoted(value)}`],
  ['desc-contains', 'contentDescContains', value => `a description with ${quoted(value)} in it`],
  ['role', 'role', value => `the role ${value}`],
]

/** Only where the flag or the first word is all that the matcher was made of. */
export const inWordsOfFlags = <E extends Pick<EnvelopeError, 'message'>>(error: E, { text, args }: Given): E => {
  for (const [flag, key, words] of SELECTORS) {
    for (const value of flag === 'text' ? [text(flag), ...args] : [text(flag)]) {
      const end = `${NO_NODE_MESSAGE} ${key}=${value}.`
      if (value !== undefined && error.message.endsWith(end))
        return { ...error, message: `No node has ${words(value)}.` }
    }
  }
  return error
}
