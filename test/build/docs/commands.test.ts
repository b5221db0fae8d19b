/** Every command that the documents show is one of svc, with flags that it has. */
import { expect, test } from 'vitest'
import { catalogue } from '../../../src/surfaces/cli/commands/catalogue.ts'
import { parse } from '../../../src/surfaces/cli/flags/parse-all.ts'
import { blocksOf, calledAsShaped, commandsIn, DOCUMENTS, page, shellLines, spans } from './documents.ts'

const COMMANDS = await catalogue.all()
const names = COMMANDS.filter(({ internal }) => !internal).map(({ path }) => path.join(' '))

const refusal = (words: readonly string[]): string | undefined => {
  try {
    const parsed = parse(COMMANDS, words)
    return parsed.kind === 'refused' ? parsed.error.message : undefined
  } catch (error) {
    return (error as Error).message
  }
}
const refusals = (lines: readonly string[]) =>
  lines.flatMap(line => commandsIn(line).flatMap(words => (refusal(words) ? [`${line}: ${refusal(words)}`] : [])))

test('every command of a block is taken by svc', () => {
  expect(shellLines.flatMap(commandsIn).length).toBeGreaterThan(200)
  expect(refusals(shellLines)).toEqual([])
})

/** A sentence may name a command or a flag without its values. */
const UNFINISHED = /is missing|needs a subcommand|needs a value/

test('every command of a sentence is one of svc, with flags that it has', () => {
  const told = spans.filter(span => span.startsWith('svc ') && !span.includes('<command>')).map(calledAsShaped)
  expect(told.length).toBeGreaterThan(100)
  expect(refusals(told).filter(problem => !UNFINISHED.test(problem))).toEqual([])
})

/** Lines of CI jobs that run svc. */
const jobLines = [...DOCUMENTS.values()]
  .flatMap(text => blocksOf(text, 'yaml'))
  .flatMap(body => body.split('\n'))
  .flatMap(line => /npx --no (svc .*)$/.exec(line)?.[1] ?? [])

test('every program that a settings file starts is svc with words that it takes', () => {
  const calls = [...DOCUMENTS.values()].flatMap(text => [
    ...text.matchAll(/"?command"?\s*[:=]\s*"svc",?\s*"?args"?\s*[:=]\s*(\[[^\]]*\])/g),
  ])
  expect(calls.length).toBeGreaterThan(1)
  expect(calls.flatMap(([whole, args = '[]']) => (refusal(JSON.parse(args)) ? [whole] : []))).toEqual([])
})

test('a command is found behind variables, words of the shell and continued lines', () => {
  expect(commandsIn('A=1 svc devices && npx --no svc doctor; if svc logs | head')).toEqual([
    ['devices'],
    ['doctor'],
    ['logs'],
  ])
  expect(commandsIn('id=$(svc lease --for 10m) svc devices')).toContainEqual(['lease', '--for', '10m'])
})

test('every command of a CI job is taken by svc', () => {
  expect(jobLines.length).toBeGreaterThan(1)
  expect(refusals(jobLines)).toEqual([])
})

const FLAGS = COMMANDS.flatMap(({ flags = [] }) => flags)

/** A word that stands for a text of the caller is the value of several flags, such as `file`. */
const isPlaceholder = (word: string) =>
  new Set(FLAGS.flatMap(({ name, value }) => (value === word ? name : []))).size > 1

/** The words that a flag takes in any command; undefined where one of them takes a text of the caller. */
const choicesOfFlag = (flag: string): readonly string[] | undefined => {
  const values = FLAGS.flatMap(({ name, value }) => (name === flag ? (value ?? '') : []))
  const isClosed = values.every(value => /^[a-z-]+(?:\|[a-z-]+)*$/.test(value) && !isPlaceholder(value))
  return isClosed && values.some(value => value.includes('|')) ? values.flatMap(value => value.split('|')) : undefined
}

const wrongValues = (text: string): string[] =>
  [...text.matchAll(/--([a-z-]+)[ =]([\w,-]+)/g)].flatMap(([whole, flag = '', value = '']) => {
    const choices = choicesOfFlag(flag)
    const wrong = choices && value.split(',').find(each => !each.startsWith('-') && !choices.includes(each))
    return wrong ? [whole] : []
  })

test('every value that a document gives to a flag is one that the flag takes', () => {
  expect(choicesOfFlag('format')).toContain('junit')
  expect([...shellLines.filter(line => line.includes('svc ')), ...jobLines, ...spans].flatMap(wrongValues)).toEqual([])
})

test('a CI job on simulated phones names the scenario of its app', () => {
  const bare = [...jobLines, ...page('ci').split('\n')].filter(line => /svc test .*--simulate(?!=)/.test(line))
  expect(bare).toEqual([])
})

test('every command has its place in the reference, under its own heading', () => {
  const headings = [...page('commands').matchAll(/^### svc (.*)$/gm)].map(([, name]) => name)
  expect(headings).toEqual(names)
})

test('every flag is in the reference of its command, or in a set that its command links to', () => {
  const [shared = '', reference = ''] = page('commands').split('\n## Reference\n')
  const entries = new Map(reference.split(/^### svc /m).map(text => [text.split('\n', 1)[0] ?? '', text]))
  const missing = COMMANDS.filter(({ internal }) => !internal).flatMap(({ path, flags = [] }) => {
    const entry = entries.get(path.join(' ')) ?? ''
    const isShown = (name: string, text: string) => new RegExp(`\`--${name}[ \`]`).test(text)
    const sets = entry.includes('\nAlso: ') ? shared : ''
    return flags.flatMap(({ name }) =>
      isShown(name, entry) || isShown(name, sets) ? [] : [`svc ${path.join(' ')} --${name}`],
    )
  })
  expect(missing).toEqual([])
})
