/** Hints in the source name requests of HTTP; every other door has its own words for each of them. */
import { expect, test } from 'vitest'
import { hintAt } from '../../src/contracts/door-words.ts'
import { failureHint } from '../../src/contracts/failures/failure-hints.ts'
import { FAILURES, type FailureCode } from '../../src/contracts/failures/failures.ts'
import { libraryHint } from '../../src/surfaces/library/hint-words.ts'
import { sourcesUnder } from '../architecture/sources.ts'

const OF_HTTP = /\b(?:GET|POST|PUT|DELETE) \//

/** They describe HTTP, or are it. */
const ABOUT_HTTP =
  /^src\/(?:build|surfaces\/(?:http|library|webdriver|viewer|cli\/commands)|contracts\/operations)\/|door-words\.ts$|^src\/surfaces\/daemon\/client\/cancel\.ts$/
const isCode = (line: string) => !/^\s*(?:\/\/|\/?\*)/.test(line)

/** The spans in backticks, with ids where the source puts them in. */
const spansIn = (text: string): string[] =>
  text
    .split('\n')
    .filter(line => isCode(line) && OF_HTTP.test(line) && /['`]/.test(line))
    .flatMap(line => [...line.replaceAll('\\`', '`').matchAll(/`((?:GET|POST|PUT|DELETE) \/(?:[^`$]|\$\{[^}]*\})*)`/g)])
    .map(([, span = '']) =>
      span
        .replaceAll(/\$\{[^}]*\}/g, 'e-1')
        .replace(/ with fromStep$/, ' with fromStep tap')
        // The rest is put in by the source.
        .replace(/^GET \/executionse-1$/, 'GET /executions/e-1'),
    )

const SPANS = sourcesUnder('src')
  .filter(({ path }) => !ABOUT_HTTP.test(path))
  .flatMap(({ path, text }) => spansIn(text).map(span => ({ path, span })))

test.each([
  ['the command line and the viewer', (hint: string) => hintAt('cli', hint)],
  ['MCP', (hint: string) => hintAt('mcp', hint)],
  ['the library', libraryHint],
] as const)('%s has words for every request that a hint names', (_, words) => {
  expect(SPANS.length).toBeGreaterThan(20)
  expect(SPANS.filter(({ span }) => OF_HTTP.test(words(`See \`${span}\`.`)))).toEqual([])
})

test('a run that cannot be resumed names what begins one anew', () => {
  const hint = failureHint('TEST_RUN_NOT_RESUMABLE')
  expect(hintAt('cli', hint)).toBe('Begin a new run: `svc test --rerun last`.')
  expect(hintAt('http', hint)).toBe('Begin a new run: `POST /test-runs with the flows that did not pass`.')
  expect(hintAt('mcp', hint)).toBe('Begin a new run: the tool run_flow.')
  expect(libraryHint(hint)).toBe('Begin a new run: `svc.test.run({ paths })`.')
})

test('over HTTP no failure is answered with a command for what HTTP has', () => {
  const hints = (Object.keys(FAILURES) as FailureCode[]).map(failureHint)
  const commands = /`svc (?:executions|devices|lease|snapshot|screenshot|apps|logs|record|skills list|fleet status)\b/
  expect(hints.filter(hint => commands.test(hint))).toEqual([])
})

/** They are the command line and what only its commands ask, pages for people who have one, or the texts of files that svc writes. */
const FOR_A_TERMINAL =
  /^src\/(?:build|simulator|surfaces\/(?:cli|library|viewer)|service\/(?:doctor|install|operators|wireless|flows\/reports|skills\/scaffold|skills\/record))\//
/** Logs are read at the host. */
const NOTES =
  /\bnote\(|^src\/(?:service\/flows\/test-runs|service\/flows\/run\/open-attempt|surfaces\/webdriver\/session\/undo-session)\.ts$/
const HAS_A_ROUTE =
  /\bsvc (?:executions|devices(?! (?:connect|discover|pair))|lease|snapshot|screenshot|apps|logs|record|skills (?:list|get|run)|fleet (?:status|drain)|emulators|test)\b/

test('the source of hints names no command for what HTTP has: its doors put their own words in', () => {
  const lines = sourcesUnder('src')
    .filter(({ path }) => !FOR_A_TERMINAL.test(path) && !path.endsWith('door-words.ts') && !NOTES.test(path))
    .flatMap(({ path, text }) => text.split('\n').map(line => ({ path, line })))
    .filter(({ line }) => isCode(line) && !NOTES.test(line) && HAS_A_ROUTE.test(line))
  expect(lines).toEqual([])
})
