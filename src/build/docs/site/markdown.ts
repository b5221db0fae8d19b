/** A page of `docs/` from Markdown to HTML: headings with anchors, links of the site, and nothing that the text brings as HTML. */

import { Marked, type Token, type Tokens } from 'marked'
import { escapeHtml } from '../../../runtime/text/escape-html.ts'

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

export interface Heading {
  level: number
  text: string
  anchor: string
}

export interface RenderedPage {
  title: string
  html: string
  headings: readonly Heading[]
  /** The pictures that the page shows, as their files are called. */
  pictures: readonly string[]
}

/** Marks of what `npm run docs` writes; all other HTML is refused. */
const isMark = (text: string) => /^\s*<!--(?:(?!-->)[\s\S])*-->\s*$/.test(text)

const PAGE_LINK = /^(?:\.\/)?([a-z][a-z-]*)\.md(#.*)?$/
const PICTURE = /^\.\.\/\.github\/([a-z-]+)-light\.webp$/

/** A comment at the end of a shell line is dimmed. */
const codeHtml = (text: string, language: string | undefined): string =>
  language === 'sh'
    ? escapeHtml(text).replace(/(^|\s)(#[^\n]*)$/gm, '$1<span class="comment">$2</span>')
    : escapeHtml(text)

/** A page of the site, a part of this page, or a place elsewhere; undefined for a file that only the source has. */
const addressOf = (href: string): string | undefined => {
  const [, page, anchor = ''] = PAGE_LINK.exec(href) ?? []
  if (page !== undefined) return page === 'index' ? `/docs${anchor}` : `/docs/${page}${anchor}`
  return /^(#|https:\/\/)/.test(href) ? href : undefined
}

/** A page without its only first heading, or with HTML in its text, is an error of the build. */
export const renderPage = (name: string, source: string): RenderedPage => {
  const headings: Heading[] = []
  const pictures: string[] = []
  const anchors = anchorsOf()
  const marked = new Marked({
    gfm: true,
    renderer: {
      html({ text }: Tokens.HTML | Tokens.Tag) {
        if (!isMark(text)) throw new Error(`docs/${name}.md: HTML is not rendered: ${text.trim()}`)
        return ''
      },
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens)
        const text = plainText(tokens)
        const anchor = anchors(text)
        headings.push({ level: depth, text, anchor })
        const link =
          depth === 1 ? '' : ` <a class="anchor" href="#${anchor}" aria-label="Link to ${escapeHtml(text)}">#</a>`
        return `<h${depth} id="${anchor}">${inner}${link}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        const address = addressOf(href)
        return address === undefined ? inner : `<a href="${escapeHtml(address)}">${inner}</a>`
      },
      image({ href, text }) {
        const picture = PICTURE.exec(href)?.[1]
        if (picture === undefined) throw new Error(`docs/${name}.md: ${href} is not a picture of .github.`)
        const [dark, light] = [`${picture}-dark.webp`, `${picture}-light.webp`]
        pictures.push(dark, light)
        const source = `<source media="(prefers-color-scheme: dark)" srcset="/docs/${dark}">`
        return `<picture>${source}<img src="/docs/${light}" alt="${escapeHtml(text)}" loading="lazy"></picture>`
      },
      code({ text, lang }) {
        return `<pre tabindex="0"><code>${codeHtml(text, lang)}</code></pre>\n`
      },
      table(token) {
        const row = (cells: readonly Tokens.TableCell[], tag: 'td' | 'th') =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
        const body = token.rows.map(cells => row(cells, 'td')).join('\n')
        return `<div class="table" tabindex="0"><table>\n<thead>${row(token.header, 'th')}</thead>\n<tbody>\n${body}\n</tbody>\n</table></div>\n`
      },
    },
  })
  const html = marked.parse(source, { async: false })
  const titles = headings.filter(({ level }) => level === 1)
  const [title] = titles
  if (!title || titles.length > 1) throw new Error(`docs/${name}.md needs one heading of the first level.`)
  return { title: title.text, html, headings, pictures }
}
