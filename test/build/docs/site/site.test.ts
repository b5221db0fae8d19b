/** The documentation as it is built: small, complete, and without anything that its policy forbids. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { buildSite } from '../../../../src/build/docs/site/site.ts'
import { ROOT } from '../../../architecture/sources.ts'
import { temporary } from '../../../support/temporary.ts'
import { PAGES } from '../documents.ts'

const root = temporary('svc-site-')
const BUDGET_BYTES = 160_000

const built = (name: string) => readFileSync(join(ROOT, 'dist/docs', `${name}.gz`))
const site = buildSite(join(ROOT, 'docs'))
const htmlFiles = [...site.files].filter(([name]) => name.endsWith('.html'))

test('the build holds every page', () => {
  for (const [name, text] of site.files) expect(gunzipSync(built(name)).toString(), name).toBe(text)
  for (const name of site.pictures) expect(existsSync(join(ROOT, 'dist/docs', name)), name).toBe(true)
  expect(htmlFiles).toHaveLength(PAGES.length)
})

test('the largest page, the script, the style and the search index stay small', () => {
  const largest = Math.max(...htmlFiles.map(([name]) => built(name).length))
  const rest = ['docs.js', 'docs.css', 'search.json'].map(name => built(name).length)
  expect(rest.reduce((sum, each) => sum + each, largest)).toBeLessThan(BUDGET_BYTES)
})

test('no page has inline script or style, a handler, or anything of another host', () => {
  for (const [name, text] of htmlFiles) {
    expect(text, name).not.toMatch(/<style|<script(?! defer src="\/docs\/)|\sstyle=|<[^>]*\son\w+=|<iframe|<base/)
    expect(
      [...text.matchAll(/(?:src|srcset)="([^"]*)"/g)].filter(([, path = '']) => !path.startsWith('/docs/')),
      name,
    ).toEqual([])
    expect(
      [...text.matchAll(/<link [^>]*href="([^"]*)"/g)].filter(([, path = '']) => !/^(\/docs\/|data:,$)/.test(path)),
    ).toEqual([])
  }
})

test('every link within the site leads to a page, and to a part of it', () => {
  const pages = new Map(htmlFiles)
  const broken = htmlFiles.flatMap(([name, text]) =>
    [...text.matchAll(/<a [^>]*href="([^"]*)"/g)].flatMap(([, href = '']) => {
      const [, page, anchor] = /^(?:\/docs(?:\/([a-z-]+))?)?(?:#(.*))?$/.exec(href) ?? []
      if (/^(https:|\/inspector$|\/docs\/api$)/.test(href)) return []
      const target = href.startsWith('#') ? text : pages.get(`${page ?? 'index'}.html`)
      return target && (anchor === undefined || target.includes(`id="${anchor}"`)) ? [] : [`${name}: ${href}`]
    }),
  )
  expect(broken).toEqual([])
})

test('a page that the menu does not lead to is refused', () => {
  const folder = join(root(), 'docs')
  mkdirSync(folder)
  writeFileSync(join(folder, 'index.md'), '# Index\n\n## Group\n\n- [One](one.md): it\n')
  writeFileSync(join(folder, 'one.md'), '# One\n\nText.\n\n## Part\n\n| a |\n|---|\n| cell |\n')
  expect(JSON.parse(buildSite(folder).files.get('search.json') ?? '')).toEqual([
    ['one', 'One', '', 'One', 'Text.'],
    ['one', 'One', 'part', 'Part', 'cell'],
  ])
  writeFileSync(join(folder, 'two.md'), '# Two\n')
  expect(() => buildSite(folder)).toThrow('does not list two')
})
