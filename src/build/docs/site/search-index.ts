/** The search index of the site: the text of every section, by page and anchor. */
import { lexer, type Token } from 'marked'
import { anchorsOf, plainText } from './headings.ts'

/** [page, title of the page, anchor, heading, text]: arrays, because the names of fields would be a third of the index. */
export type IndexedSection = readonly [page: string, title: string, anchor: string, heading: string, text: string]

/** Longer blocks are samples of output and whole programs: their words would fill the index, and nobody looks for them. */
const CODE_CHARS_MAX = 240

const textOf = (token: Token): string => {
  if (token.type === 'code' && token.text.length > CODE_CHARS_MAX) return ''
  if (token.type === 'html' || token.type === 'space') return ''
  if (token.type === 'table') {
    // Heads of columns, such as "flag" and "meaning", are alike in many sections and found in all of them.
    const cells = token.rows.flat() as { tokens: Token[] }[]
    return cells.map(({ tokens }) => plainText(tokens)).join(' ')
  }
  if (token.type === 'list')
    return (token.items as { tokens: Token[] }[]).map(({ tokens }) => tokens.map(textOf).join(' ')).join(' ')
  return 'tokens' in token && token.tokens ? plainText(token.tokens) : 'text' in token ? token.text : ''
}

export const sectionsOf = (page: string, source: string): IndexedSection[] => {
  const anchors = anchorsOf()
  const sections: { anchor: string; heading: string; texts: string[] }[] = []
  for (const token of lexer(source)) {
    if (token.type === 'heading') {
      const heading = plainText(token.tokens ?? [])
      sections.push({ anchor: anchors(heading), heading, texts: [] })
    } else sections.at(-1)?.texts.push(textOf(token))
  }
  const title = sections[0]?.heading ?? page
  return sections.map(({ anchor, heading, texts }, at): IndexedSection => {
    const text = texts.join(' ').replace(/\s+/g, ' ').trim()
    return [page, title, at === 0 ? '' : anchor, heading, text]
  })
}
