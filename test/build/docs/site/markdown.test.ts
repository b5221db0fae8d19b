/** A page as HTML: its links, its headings, and nothing that its text brings as HTML. */
import { expect, test } from 'vitest'
import { renderPage } from '../../../../src/build/docs/site/markdown.ts'

const html = (text: string) => renderPage('a', `# A\n\n${text}\n`).html

test.each([
  '<b>bold</b>',
  '<script>alert(1)</script>',
  'x <img src=x onerror=alert(1)> y',
  '<!-- a --><script>1</script>',
  '<!-- a -->\n<b>x</b>\n<!-- b -->',
])('HTML is refused: %s', text => {
  expect(() => html(text)).toThrow('HTML is not rendered')
})

test('marks of generated parts leave nothing', () => {
  expect(html('<!-- generated: x -->\n\ntext\n\n<!-- end -->')).not.toContain('<!--')
})

test('what looks like HTML is text in code and in links', () => {
  expect(html('`<b>` and\n\n```sh\nsvc <b> "x" # <i>\n```')).toContain(
    'svc &lt;b&gt; &quot;x&quot; <span class="comment"># &lt;i&gt;</span>',
  )
  expect(html('[a](javascript:alert) [b](data:x) [c](other.md"x)')).not.toMatch(/href="(?!#)/)
})

test.each([
  ['[x](policy.md)', '<a href="/docs/policy">x</a>'],
  ['[x](policy.md#rules)', '<a href="/docs/policy#rules">x</a>'],
  ['[x](index.md)', '<a href="/docs">x</a>'],
  ['[x](#here)', '<a href="#here">x</a>'],
  ['[x](../SECURITY.md)', '<p>x</p>'],
  ['[`x`](https://nats.io)', '<a href="https://nats.io"><code>x</code></a>'],
])('%s', (text, expected) => {
  expect(html(text)).toContain(expected)
})

test('headings have the anchors that GitHub gives them, each its own', () => {
  const { headings } = renderPage('a', '# A\n\n## `svc click`, or: what?\n\n## Same\n\n## Same\n')
  expect(headings.map(({ anchor }) => anchor)).toEqual(['a', 'svc-click-or-what', 'same', 'same-1'])
})

test('a page has one heading of the first level', () => {
  expect(() => renderPage('a', 'text')).toThrow('one heading')
  expect(() => renderPage('a', '# A\n\n# B')).toThrow('one heading')
})

test('a picture is one of .github, in its dark and its light form', () => {
  const { html, pictures } = renderPage('a', '# A\n\n![Alt "text"](../.github/viewer-actor-light.webp)')
  expect(pictures).toEqual(['viewer-actor-dark.webp', 'viewer-actor-light.webp'])
  expect(html).toContain('<img src="/docs/viewer-actor-light.webp" alt="Alt &quot;text&quot;"')
  expect(() => renderPage('a', '# A\n\n![x](https://example.com/x.png)')).toThrow('not a picture')
})
