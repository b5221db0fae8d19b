/** A page that opens from disk fetches nothing, runs its own script alone, and what it shows cannot change that. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { standaloneHtml } from '../../../src/runtime/files/standalone-html.ts'

const HOSTILE = '</script><script>alert(1)</script><!--'
const parts = { style: 'p{color:red}', script: 'draw()', title: 'a <b> & "c"', data: [] }

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

test('its policy lets it fetch nothing, and run and style by what is in it alone', () => {
  const { html, policy } = standaloneHtml(parts)
  const rules = Object.fromEntries(policy.split('; ').map(rule => [rule.split(' ')[0], rule.split(' ').slice(1)]))
  expect(rules).toMatchObject({
    'default-src': ["'none'"],
    'script-src': [hash('draw()')],
    'style-src': [hash('p{color:red}')],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
  })
  const [, own = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? []
  expect(own.replaceAll('&#39;', "'").replaceAll('&apos;', "'")).toBe(policy)
  expect(html).toContain('<script>draw()</script>')
  expect(html).toContain('<style>p{color:red}</style>')
})

test('what it shows ends no element, and is read as it was', () => {
  const shown = { text: HOSTILE, list: [1, null] }
  const { html } = standaloneHtml({ ...parts, data: [['facts', shown]] })
  const [, json = ''] = /<script type="application\/json" id="facts">([^<]*)<\/script>/.exec(html) ?? []
  expect(JSON.parse(json)).toEqual(shown)
  expect(html.match(/<script/g)).toHaveLength(2)
  expect(html).toContain('<title>a &lt;b&gt; &amp; &quot;c&quot;</title>')
})

test('it has an empty place for the page until its script has drawn it', () => {
  expect(standaloneHtml(parts).html).toContain('<div id="root"></div>')
  expect(standaloneHtml({ ...parts, body: '<p>soon</p>' }).html).toContain('<div id="root"><p>soon</p></div>')
})
