/** The documentation as `svc serve` shows it at /docs: one HTML file for each page of `docs/`, and the search index. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lexer, type Token } from 'marked'
import { escapeHtml } from '../../../runtime/text/escape-html.ts'
import { anchorsOf, type Heading, plainText, type RenderedPage, renderPage } from './markdown.ts'

/** [page, title of the page, anchor, heading, text]: arrays, because the names of fields would be a third of the index. */
export type IndexedSection = readonly [page: string, title: string, anchor: string, heading: string, text: string]

/** Longer blocks are samples of output and whole programs: their words would fill the index, and nobody looks for them. */
const CODE_CHARS_MAX = 200

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

const sectionsOf = (page: string, source: string): IndexedSection[] => {
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

export interface Site {
  /** By the name of the file: `policy.html`, `search.json`. */
  files: ReadonlyMap<string, string>
  /** Files of `.github` that the pages show. */
  pictures: readonly string[]
}

interface NavigationGroup {
  heading: string
  pages: readonly string[]
}

const INDEX = 'index'

/** The groups of pages, as the headings and links of the first page list them. */
export const navigationOf = (index: string): NavigationGroup[] =>
  index
    .split(/^## /m)
    .slice(1)
    .map(part => ({
      heading: part.split('\n', 1)[0]?.trim() ?? '',
      pages: [...part.matchAll(/^- \[[^\]]+\]\(([a-z-]+)\.md\)/gm)].map(([, page = '']) => page),
    }))
    .filter(({ pages }) => pages.length > 0)

const addressOf = (page: string) => (page === INDEX ? '/docs' : `/docs/${page}`)

const pageLink = (page: string, title: string, current: string) =>
  `<li><a href="${addressOf(page)}"${page === current ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`

const navigation = (groups: readonly NavigationGroup[], titles: ReadonlyMap<string, string>, current: string): string =>
  groups
    .map(({ heading, pages }) => {
      const links = pages.map(page => pageLink(page, titles.get(page) ?? page, current)).join('\n')
      return `<h2>${escapeHtml(heading)}</h2>\n<ul>\n${links}\n</ul>`
    })
    .join('\n')

/** A reference with more headings lists those of the second level alone. */
const HEADINGS_MAX = 40

const contents = (headings: readonly Heading[]): string => {
  const below = headings.filter(({ level }) => level === 2 || level === 3)
  const listed = below.length > HEADINGS_MAX ? below.filter(({ level }) => level === 2) : below
  if (listed.length < 2) return ''
  const links = listed
    .map(({ level, text, anchor }) => `<li class="level-${level}"><a href="#${anchor}">${escapeHtml(text)}</a></li>`)
    .join('\n')
  return `<nav class="contents" aria-label="On this page">\n<h2>On this page</h2>\n<ul>\n${links}\n</ul>\n</nav>`
}

const documentOf = ({ title, html, headings }: RenderedPage, menu: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} - svc</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/docs.css">
<script defer src="/docs/docs.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="name" href="/docs">svc</a>
<div id="search" role="search"></div>
<nav aria-label="This server"><a href="/inspector">Viewer</a> <a href="/docs/api">Requests</a></nav>
</header>
<div class="columns">
<details class="pages" open><summary>Pages</summary>
<nav aria-label="Pages">
${menu}
</nav>
</details>
<main id="content">
${html}</main>
${contents(headings)}
</div>
</body>
</html>
`

/** `folder` holds the Markdown. A page that the first page does not list is an error: nobody would find it. */
export const buildSite = (folder: string): Site => {
  const names = readdirSync(folder).flatMap(file => /^([a-z-]+)\.md$/.exec(file)?.[1] ?? [])
  const sources = new Map(names.map(name => [name, readFileSync(join(folder, `${name}.md`), 'utf8')]))
  const rendered = new Map([...sources].map(([name, source]) => [name, renderPage(name, source)]))
  const titles = new Map([...rendered].map(([name, { title }]) => [name, title]))
  const groups = navigationOf(sources.get(INDEX) ?? '')
  const listed = groups.flatMap(({ pages }) => pages)
  const unlisted = names.filter(name => name !== INDEX && !listed.includes(name))
  if (unlisted.length > 0) throw new Error(`docs/index.md does not list ${unlisted.join(', ')}.`)
  const pages = [...rendered].map(([name, page]): [string, string] => [
    `${name}.html`,
    documentOf(page, navigation(groups, titles, name)),
  ])
  const inOrder = listed.flatMap(name => sectionsOf(name, sources.get(name) ?? ''))
  return {
    files: new Map([...pages, ['search.json', JSON.stringify(inOrder)]]),
    pictures: [...new Set([...rendered.values()].flatMap(({ pictures }) => pictures))],
  }
}
