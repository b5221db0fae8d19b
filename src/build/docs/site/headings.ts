/** Anchors of headings, as GitHub names them: the same link works in the source and on the site. */
import type { Token } from 'marked'

/** The text of inline tokens without its marks. */
export const plainText = (tokens: readonly Token[]): string =>
  tokens
    .map(token => ('tokens' in token && token.tokens ? plainText(token.tokens) : 'text' in token ? token.text : ''))
    .join('')

const slug = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

/** Names each heading of one page; a text that comes again gets a number. */
export const anchorsOf = (): ((text: string) => string) => {
  const seen = new Map<string, number>()
  return text => {
    const base = slug(text)
    const count = seen.get(base)
    seen.set(base, (count ?? 0) + 1)
    return count === undefined ? base : `${base}-${count}`
  }
}
