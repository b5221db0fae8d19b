/** Actions that read the screen: read_text, read_key_value_pair, snapshot, take_screenshot. */
import * as v from 'valibot'
import { Matcher } from '../executions/matcher.ts'
import { closedObject } from '../json/objects.ts'
import { filePath, text } from '../json/scalars.ts'
import { VALIDATOR_PATTERN_CHARS_MAX } from '../limits/limits.ts'
import { action, NoParams, retryEntries } from './shape.ts'

const compiles = (pattern: string) => {
  try {
    new RegExp(pattern)
    return true
  } catch {
    return false
  }
}

const ALL_WITH_INDEX = 'index names one node, and all asks for every one: only one of them can be given'

/** JSON Schema for that rule. */
const notAllWithIndex = (param: 'matcher' | 'labelMatcher') => ({
  required: ['all', param],
  properties: { all: { const: true }, [param]: { type: 'object' as const, required: ['index'] } },
})

export const READ_ACTIONS = [
  action(
    'read_text',
    v.pipe(
      closedObject({
        matcher: Matcher,
        all: v.exactOptional(v.boolean(), false),
        container: v.exactOptional(Matcher),
        /** For a field without a text its hint, which comes before a description. */
        orHint: v.exactOptional(v.boolean()),
        validator: v.exactOptional(v.picklist(['temperature', 'version', 'regex'])),
        validatorPattern: v.exactOptional(
          v.pipe(text(1, VALIDATOR_PATTERN_CHARS_MAX), v.check(compiles, 'must be a valid regular expression')),
        ),
        ...retryEntries,
      }),
      v.forward(
        v.partialCheck(
          [['validator'], ['validatorPattern']],
          params => params.validator !== 'regex' || params.validatorPattern !== undefined,
          'the validator regex needs a validatorPattern',
        ),
        ['validatorPattern'],
      ),
      v.forward(
        v.partialCheck(
          [['all'], ['matcher', 'index']],
          params => !params.all || params.matcher.index === undefined,
          ALL_WITH_INDEX,
        ),
        ['all'],
      ),
      v.metadata({
        not: notAllWithIndex('matcher'),
        if: { required: ['validator'], properties: { validator: { const: 'regex' } } },
        // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
        then: { required: ['validatorPattern'] },
      }),
    ),
  ),
  action(
    'read_key_value_pair',
    v.pipe(
      closedObject({ labelMatcher: Matcher, all: v.exactOptional(v.boolean(), false), ...retryEntries }),
      v.forward(
        v.partialCheck(
          [['all'], ['labelMatcher', 'index']],
          params => !params.all || params.labelMatcher.index === undefined,
          ALL_WITH_INDEX,
        ),
        ['all'],
      ),
      v.metadata({ not: notAllWithIndex('labelMatcher') }),
    ),
  ),
  action('snapshot', v.exactOptional(NoParams)),
  /** If `path` is missing, the host picks a new file. With a matcher the picture shows that node alone. */
  action(
    'take_screenshot',
    v.exactOptional(closedObject({ path: v.exactOptional(filePath), matcher: v.exactOptional(Matcher) })),
  ),
] as const
