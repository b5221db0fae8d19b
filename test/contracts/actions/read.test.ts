import { actionTable } from './table.ts'

const matcher = { resourceId: 'com.example:id/value' }

actionTable(
  {
    type: 'read_text',
    least: { matcher },
    filled: { matcher, all: false },
    required: ['matcher'],
    matchers: ['matcher', 'container'],
    booleans: ['all'],
    texts: { validatorPattern: [1, 512] },
    choices: { validator: ['temperature', 'version'] },
    retries: true,
    accepted: [
      { matcher, validator: 'regex', validatorPattern: '^\\d+%$' },
      { matcher, validator: 'version', validatorPattern: '.' },
    ],
    rejected: [
      [{ matcher, validator: 'regex' }, 'params.validatorPattern'],
      [{ matcher, validator: 'regex', validatorPattern: '(' }, 'params.validatorPattern'],
      [{ matcher, validator: 'regex', validatorPattern: '[z-a]' }, 'params.validatorPattern'],
      [{ matcher, validatorPattern: '*' }, 'params.validatorPattern'],
    ],
  },
  {
    type: 'read_key_value_pair',
    least: { labelMatcher: matcher },
    filled: { labelMatcher: matcher, all: false },
    required: ['labelMatcher'],
    matchers: ['labelMatcher'],
    booleans: ['all'],
    retries: true,
    rejected: [[{ labelMatcher: matcher, matcher }, 'params.matcher']],
  },
)

actionTable(
  {
    type: 'snapshot',
    least: null,
    filled: null,
    rejected: [[{ format: 'xml' }, 'params.format']],
  },
  {
    type: 'take_screenshot',
    least: null,
    filled: null,
    texts: { path: [1, Number.POSITIVE_INFINITY] },
    rejected: [[{ path: ' \n' }, 'params.path']],
  },
)
