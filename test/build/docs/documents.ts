/** The documents, taken apart: README, the pages of `docs/` and the other texts at the top, their blocks, and the names in backticks. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../architecture/sources.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

export const readme = read('README.md')

/** A page of `docs/` by its name. */
export const page = (name: string): string => read(`docs/${name}.md`)

export const PAGES: readonly string[] = readdirSync(join(ROOT, 'docs')).flatMap(
  file => /^([a-z-]+)\.md$/.exec(file)?.[1] ?? [],
)

/** By their paths. */
export const DOCUMENTS: ReadonlyMap<string, string> = new Map(
  [
    ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'],
    ...PAGES.map(name => `docs/${name}.md`),
  ].map(path => [path, read(path)]),
)

/** What follows from declarations is true of itself; only what people wrote is held to the code. */
const GENERATED = /^<!-- generated: [a-z-]+ -->\n[\s\S]*?^<!-- end -->$/gm

/** What a user reads, without the house plan for developers. */
const userTexts = [...DOCUMENTS].filter(([path]) => path !== 'ARCHITECTURE.md').map(([, text]) => text)

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm

export const blocksOf = (text: string, language: string): string[] =>
  [...text.matchAll(FENCE)].filter(([, found]) => found === language).map(([, , body = '']) => body)

export const shellBlocks: readonly string[] = userTexts.flatMap(text => blocksOf(text, 'sh'))
export const shellLines: readonly string[] = shellBlocks.flatMap(body => body.replaceAll(/\\\n\s*/g, ' ').split('\n'))
export const jsonBlocks: readonly string[] = userTexts.flatMap(text => blocksOf(text, 'json'))

/** The sentences of a text, without blocks and generated parts. */
export const proseOf = (text: string): string => text.replace(GENERATED, '').replace(FENCE, '')

/** Words in backticks, with the escaped bars of tables as bars. */
export const spansOf = (text: string): string[] =>
  [...proseOf(text).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span.replaceAll('\\|', '|'))

export const spans: readonly string[] = userTexts.flatMap(spansOf)

const WORD = /"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"']+/g
const unquoted = (word: string) => word.replace(/^(["'])(.*)\1$/s, '$2')

/** What may stand before a program: a variable, or a word of the shell or of npm. */
const BEFORE = /^(?:[A-Z_]+=|(?:npx|--no|--yes|-y|time|exec|if|while|until|!|do|then)$)/
const fromProgram = (words: readonly string[]) => words.slice(words.findIndex(word => !BEFORE.test(word)))

/** Arguments of each `svc` of a shell line, without what the shell itself takes. */
export const commandsIn = (line: string): string[][] =>
  line
    .replace(/(^|\s)#.*$/, '')
    .split(/\s(?:\||\|\||&&|&)(?:\s|$)|;(?:\s|$)|\$\(|\)/)
    .map(part => part.replace(/\s\d?>\s*\S+|\s<\s+\S+/g, '').match(WORD) ?? [])
    .map(fromProgram)
    .filter(([program]) => program === 'svc')
    .map(([, ...words]) => words.map(unquoted))

/** A shape as a call: optional parts are given, and of several values the first one is taken. */
export const calledAsShaped = (span: string): string =>
  span.replaceAll(/[[\]]|\.\.\.$/g, '').replaceAll(/(?<=[\w-])\|[\w-]+(?: <\w+>)?/g, '')

/** The first cell of each row of the tables of a text. */
export const firstCells = (text: string): string[] =>
  [...text.matchAll(/^\| ((?:[^|\\]|\\.)*) \|/gm)].map(([, cell = '']) => cell)
