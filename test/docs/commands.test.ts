/** Every command that the documents show is one of svc, with flags that it has. */
import { expect, test } from 'vitest'
import { catalogue } from '../../src/cli/commands/catalogue.ts'
import { parse } from '../../src/cli/parse-all.ts'
import { calledAsShaped, commandsIn, page, shellLines, spans } from './documents.ts'

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
