/** Every link of the documents leads to a file that is there, and to a heading that it has. */
import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { lexer } from 'marked'
import { expect, test } from 'vitest'
import { anchorsOf, plainText } from '../../../src/build/docs/site/markdown.ts'
import { ROOT } from '../../architecture/sources.ts'
import { DOCUMENTS, PAGES, page } from './documents.ts'

const headingsOf = (text: string): Set<string> => {
  const anchor = anchorsOf()
  return new Set(
    lexer(text).flatMap(token => (token.type === 'heading' ? [anchor(plainText(token.tokens ?? []))] : [])),
  )
}

const LINK = /(?<!`)\[(?:[^\]`]|`[^`]*`)*\]\(([^)\s]+)\)|(?:srcset|src)="([^"]+)"/g
const linksOf = (text: string) =>
  [...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(LINK)].map(([, link, source]) => link ?? source ?? '')

const isBroken = (from: string, link: string): boolean => {
  if (/^https:\/\//.test(link)) return false
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? from : normalize(join(dirname(from), path))
  if (!existsSync(join(ROOT, target))) return true
  const text = DOCUMENTS.get(target)
  return anchor !== undefined && !(text !== undefined && headingsOf(text).has(anchor))
}

test('every link leads somewhere', () => {
  const links = [...DOCUMENTS].flatMap(([from, text]) => linksOf(text).map(link => ({ from, link })))
  expect(links.length).toBeGreaterThan(150)
  expect(links.filter(({ from, link }) => isBroken(from, link))).toEqual([])
})

test('the first page leads to every other page, once in its lists', () => {
  const listed = [...page('index').matchAll(/^- \[[^\]]+\]\(([a-z-]+)\.md\)/gm)].map(([, name]) => name)
  expect(listed.sort()).toEqual(PAGES.filter(name => name !== 'index').sort())
})

test('every page says first what its reader can do after it', () => {
  const openings = PAGES.map(name => [name, page(name).split('\n')[2]] as const)
  expect(openings.filter(([, line]) => !/^After this page (you|your agent) /.test(line ?? ''))).toEqual([])
})

test('the README stays short', () => {
  expect(DOCUMENTS.get('README.md')?.split('\n').length).toBeLessThanOrEqual(200)
})
