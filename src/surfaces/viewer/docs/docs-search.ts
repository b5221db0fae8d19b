/** Finds sections of the documentation that have words of a query: those with more of them first; headings count more than texts. */

/** A line of /docs/search.json: page, title of the page, anchor, heading, text. */
export type Section = readonly [page: string, title: string, anchor: string, heading: string, text: string]

export interface Hit {
  address: string
  title: string
  heading: string
  /** The text around the first word that was found. */
  excerpt: string
}

const HITS_MAX = 12
const BEFORE = 40
const EXCERPT = 160

const wordsOf = (query: string) => query.toLowerCase().match(/\S+/g) ?? []

/** How well a word fits: the whole heading, its beginning, a part of it, the title of the page, the text; 0: not at all. */
const rankOf = (word: string, title: string, heading: string, text: string): number => {
  if (heading === word) return 40
  if (heading.startsWith(word)) return 20
  if (heading.includes(word)) return 12
  if (title.includes(word)) return 6
  return text.includes(word) ? 1 : 0
}

const excerptOf = (text: string, words: readonly string[]): string => {
  const lower = text.toLowerCase()
  const places = words.map(word => lower.indexOf(word)).filter(at => at >= 0)
  const start = Math.max(0, Math.min(...places, text.length) - BEFORE)
  const from = places.length === 0 || start === 0 ? 0 : text.indexOf(' ', start) + 1
  const cut = text.slice(from, from + EXCERPT)
  return `${from > 0 ? '… ' : ''}${cut}${from + EXCERPT < text.length ? ' …' : ''}`
}

export const search = (sections: readonly Section[], query: string): Hit[] => {
  const words = wordsOf(query)
  if (words.length === 0) return []
  const whole = words.join(' ')
  return sections
    .flatMap(([page, title, anchor, heading, text]) => {
      const [lowTitle, lowHeading, lowText] = [title.toLowerCase(), heading.toLowerCase(), text.toLowerCase()]
      const ranks = words.map(word => rankOf(word, lowTitle, lowHeading, lowText))
      const matched = ranks.filter(rank => rank > 0).length
      if (matched === 0) return []
      const rank = ranks.reduce((sum, each) => sum + each, 0) + rankOf(whole, lowTitle, lowHeading, lowText)
      const address = anchor === '' ? `/docs/${page}` : `/docs/${page}#${anchor}`
      return [{ matched, rank, hit: { address, title, heading, excerpt: excerptOf(text, words) } }]
    })
    .sort((a, b) => b.matched - a.matched || b.rank - a.rank)
    .slice(0, HITS_MAX)
    .map(({ hit }) => hit)
}
