import { describe, expect, test } from 'vitest'
import { type Door, hintAt } from '../../../src/contracts/door-words.ts'
import { failureHint } from '../../../src/contracts/failures/failure-hints.ts'
import { FAILURES, type FailureCode, failure } from '../../../src/contracts/failures/failures.ts'
import { withHint } from '../../../src/contracts/failures/hint-words.ts'
import { PARTS } from '../../../src/surfaces/cli/commands/catalogue.ts'
import { hintedFailure } from '../../../src/surfaces/cli/hinted-output.ts'
import { refuse } from '../../../src/surfaces/http/answer.ts'
import { failed } from '../../../src/surfaces/mcp/answers.ts'
import { failureData } from '../../../src/surfaces/webdriver/protocol/failure-error.ts'

const CODES = Object.keys(FAILURES) as FailureCode[]

/** The failure of a code as it leaves, without a hint of its own. */
const leaving: Record<Door, (code: FailureCode) => Promise<{ hint?: string }>> = {
  cli: async code => hintedFailure(failure(code, 'It failed.'), { path: ['click'] }),
  http: async code => ((await refuse(failure(code, 'It failed.')).json()) as { error: { hint?: string } }).error,
  mcp: async code => {
    const [first] = failed(failure(code, 'It failed.')).content
    return JSON.parse(first?.type === 'text' ? first.text : '{}')
  },
  webdriver: async code => failureData(withHint('http', failure(code, 'It failed.'))) as { hint?: string },
}

/** A flag behind its command can be typed by somebody at the host; alone, only a command line takes it. */
const BARE_FLAG = /--[a-z]/
const withoutCommands = (hint: string) => hint.replace(/svc [a-z][^`.,;]*/g, '')

describe.each(['cli', 'http', 'mcp', 'webdriver'] as const)('every failure that leaves over %s', door => {
  test('has a hint, which is a sentence', async () => {
    const wrong: string[] = []
    for (const code of CODES) {
      const { hint = '' } = await leaving[door](code)
      if (!/^[A-Z`"]/.test(hint) || !/[.]$/.test(hint) || hint.length < 20) wrong.push(`${code}: ${hint}`)
    }
    expect(wrong).toEqual([])
  })

  test('names what its caller can use', async () => {
    for (const code of CODES) {
      const { hint = '' } = await leaving[door](code)
      if (door === 'cli') expect(hint).not.toMatch(/`(?:waitMs|timeoutMs|deviceId|(?:GET|POST|DELETE) )/)
      else expect({ code, hint: withoutCommands(hint) }).not.toMatchObject({ hint: expect.stringMatching(BARE_FLAG) })
      if (door === 'mcp') expect(hint).not.toMatch(/`(?:GET|POST|DELETE) /)
      if (door === 'webdriver')
        expect(hint).not.toMatch(
          /`(?:deviceId|operatorPackage)`|`(?:GET|POST|PUT|DELETE) \/(?!session)[^`]*`(?! of svc)/,
        )
    }
  })
})

/** What is done at the host of svc has no route; it is for whoever has a shell there. */
const AT_THE_HOST =
  /svc (?:doctor|serve|simulate|operator|watch|devices discover|fleet|authoring-skills|skills install)\b/g
const COMMAND = new RegExp(`\\bsvc (?:${PARTS.flatMap(({ words }) => words).join('|')})\\b`)

test('over HTTP no hint names a command that has a route', async () => {
  const wrong: string[] = []
  for (const code of CODES) {
    const { hint = '' } = await leaving.http(code)
    if (COMMAND.test(hint.replace(AT_THE_HOST, ''))) wrong.push(`${code}: ${hint}`)
  }
  expect(wrong).toEqual([])
})

test('a hint of the case goes before that of the code', () => {
  const error = failure('NODE_NOT_FOUND', 'It failed.', { hint: 'Wait with `waitMs`.' })
  expect(withHint('cli', error).hint).toBe('Wait with `--wait <ms>`.')
  expect(withHint('http', error).hint).toBe('Wait with `waitMs`.')
})

test('a code that nobody knows has a hint too', () => {
  expect(failureHint('FROM_A_LATER_VERSION')).toMatch(/^[A-Z].*\.$/)
  expect(failureHint('constructor')).toBe(failureHint('FROM_A_LATER_VERSION'))
})

test.each([
  ['`overwrite`', '`--overwrite`', '`overwrite`'],
  ['`recursive`', '`--recursive`', '`recursive`'],
  ['`GET /executions/e1`', '`svc executions show e1`', 'the tool receipt'],
  [
    '`POST /android/emulators/create with abi x86_64`',
    '`svc emulators create <name> --abi x86_64`',
    'the tool emulators with abi x86_64',
  ],
  ['`DELETE /android/emulators/a1`', '`svc emulators delete a1`', 'the tool emulators'],
  ['`DELETE /executions/e1`', '`svc executions cancel e1`', '`svc executions cancel e1`'],
  [
    '`POST /executions/e1/resume with fromStep a b`',
    '`svc executions resume e1 --from-step a b`',
    '`svc executions resume e1 --from-step a b`',
  ],
  ['`deviceId`', '`--device <serial>`', '`device`'],
  ['`svc doctor`', '`svc doctor`', '`svc doctor`'],
  ['waitMs', 'waitMs', 'waitMs'],
])('%s in the words of the command line and of MCP', (http, cli, mcp) => {
  expect({ http: hintAt('http', http), cli: hintAt('cli', http), mcp: hintAt('mcp', http) }).toEqual({ http, cli, mcp })
})

test('a hint without its full stop gets it', () => {
  const error = failure('USAGE', 'It failed.', { hint: 'See: svc --help' })
  expect(withHint('cli', error).hint).toBe('See: svc --help.')
})

test('a name with a dollar sign is taken as it is', () => {
  expect(hintAt('cli', '`POST /executions/e1/resume with fromStep $1$&`')).toBe(
    '`svc executions resume e1 --from-step $1$&`',
  )
})
