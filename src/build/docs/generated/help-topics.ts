/** The texts of `svc help <topic>`: sections of the documentation as a terminal shows them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lexer, type Token, type Tokens } from 'marked'
import { TOPICS, type TopicName } from '../../../surfaces/cli/help.ts'
import { plainText } from '../site/markdown.ts'

/** The page that says the rest, and the headings of those sections of pages that a topic shows. */
const SECTIONS: Readonly<Record<TopicName, readonly (readonly [page: string, ...headings: string[]])[]>> = {
  selectors: [
    ['commands', 'Naming a node', 'Selectors'],
    ['actions', 'Matchers'],
  ],
  devices: [['devices', 'Which device a command uses', 'Operators']],
  output: [['commands', 'Output', 'Exit codes']],
  receipts: [['executions', 'Did my tap happen?', 'The states of a receipt', 'The outcome in one word']],
  'exit-codes': [['commands', 'Exit codes']],
  flows: [['flows', 'Flows', 'What a run says']],
  policy: [['policy', 'Policy', 'Rules', 'Refusals']],
  scenarios: [['simulated-phones', 'Simulated phones', 'Write a scenario']],
  environment: [
    [
      'environment',
      'Home and journal',
      'Devices and operators',
      'Commands and the daemon',
      'Server',
      'Fleet',
      'Emulators',
    ],
  ],
}

/** The first sentence of each page is for those who come to it by the menu. */
const INTRODUCTION = 'After this page '
const COLUMNS = 100
/** Longer names of a table are part of the text. */
const NAME_COLUMNS_MAX = 26

const wrap = (text: string, first: string, rest: string): string[] => {
  const lines: string[] = []
  let line = first
  for (const word of text.split(/\s+/)) {
    const next = line + (line === first || line === rest ? word : ` ${word}`)
    if (next.length > COLUMNS && line !== rest) lines.push(line)
    line = next.length > COLUMNS && line !== rest ? rest + word : next
  }
  return [...lines, line]
}

const tableLines = ({ header, rows }: Tokens.Table): string[] => {
  const titles = header.map(({ text }) => (header.length > 2 ? `${text}: ` : ''))
  const cells = rows.map(row => row.map(({ tokens }, at) => (at > 0 ? titles[at] : '') + plainText(tokens)))
  const width = Math.min(NAME_COLUMNS_MAX, Math.max(...cells.map(([name = '']) => name.length)))
  const indent = ' '.repeat(width + 4)
  return cells.flatMap(([name = '', ...others]) => {
    const text = others.join('; ')
    return name.length > width
      ? wrap(`${name}: ${text}`, '  ', indent)
      : wrap(text, `  ${name.padEnd(width)}  `, indent)
  })
}

const linesOf = (token: Token): string[] => {
  const { type } = token
  if (type === 'code') return token.text.split('\n').map((line: string) => `  ${line}`.trimEnd())
  if (type === 'table') return tableLines(token as Tokens.Table)
  if (type === 'list') return (token as Tokens.List).items.flatMap(({ tokens }) => wrap(plainText(tokens), '- ', '  '))
  return type === 'paragraph' ? wrap(plainText(token.tokens ?? []), '', '') : []
}

const sectionTexts = (source: string, headings: readonly string[]): string[] => {
  const texts = new Map<string, string[]>()
  let heading = ''
  for (const token of lexer(source)) {
    if (token.type === 'heading') heading = plainText(token.tokens ?? [])
    else if (!token.raw.startsWith(INTRODUCTION) && linesOf(token).length > 0)
      texts.set(heading, [...(texts.get(heading) ?? []), linesOf(token).join('\n')])
  }
  return headings.map(each => {
    const blocks = texts.get(each)
    if (!blocks) throw new Error(`No page has the section "${each}" of a help topic.`)
    return `${each.toUpperCase()}\n${blocks.join('\n\n')}`
  })
}

/** The module `src/surfaces/cli/help/topic-texts.ts`. */
export const topicTextsFile = (folder: string): string => {
  const texts = TOPICS.map(({ name, summary }) => {
    const sections = SECTIONS[name].flatMap(([page, ...headings]) =>
      sectionTexts(readFileSync(join(folder, `${page}.md`), 'utf8'), headings),
    )
    const title = name.charAt(0).toUpperCase() + name.slice(1).replace('-', ' ')
    const page = SECTIONS[name][0]?.[0]
    const more = `More: docs/${page}.md, or /docs/${page} of svc serve`
    const text = [`${title}: ${summary}`, ...sections, more].join('\n\n')
    return `  '${name}': '${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}',`
  })
  return `/** Texts of help topics, which the build takes from the documentation. */\nexport const TOPIC_TEXTS = {\n${texts.join('\n')}\n}\n`
}
