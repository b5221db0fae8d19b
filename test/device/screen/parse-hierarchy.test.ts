import { describe, expect, test } from 'vitest'
import type { UiTree } from '../../../src/contracts/device/ui-tree.ts'
import { HIERARCHY_LIMITS, parseHierarchy } from '../../../src/device/screen/parse-hierarchy.ts'
import { snapshotXml } from '../../../src/device/screen/snapshot-xml.ts'
import { node, screen } from '../../support/device/fake-ui-driver.ts'

const parsed = (xml: string): UiTree => {
  const result = parseHierarchy(xml)
  if (!result.ok) throw new Error(`${result.problem} at ${result.at}`)
  return result.tree
}
const one = (attributes: string) =>
  parsed(`<hierarchy rotation="0"><node bounds="[0,0][1,1]" ${attributes}/></hierarchy>`).roots[0]

describe('what devices write', () => {
  test('a dump on one line, with a message around it and attributes of its own', () => {
    const xml =
      `WARNING: linker: something <odd>\n<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="3">` +
      `<node NAF="true" index="0" text="" resource-id="a:id/b" class="android.widget.Button" package="a" content-desc=""` +
      ` checkable="false" checked="false" clickable="true" enabled="true" focusable="true" focused="false"` +
      ` scrollable="false" long-clickable="false" password="false" selected="false" visible-to-user="true"` +
      ` hint="" drawing-order="0" bounds="[0,-63][1080,2400]"><node index="0" text="x" bounds="[1,2][3,4]" /></node>` +
      `</hierarchy>UI hierchary dumped to: /dev/tty\n`
    const tree = parsed(xml)
    expect(tree.rotation).toBe(3)
    expect(tree.roots).toHaveLength(1)
    expect(tree.roots[0]).toMatchObject({
      resourceId: 'a:id/b',
      className: 'android.widget.Button',
      clickable: true,
      focusable: true,
      checkable: false,
      bounds: { left: 0, top: -63, right: 1_080, bottom: 2_400 },
      children: [{ text: 'x', enabled: false, children: [] }],
    })
  })

  test.each([
    ['&amp;&lt;&gt;&quot;&apos;', `&<>"'`],
    ['a&#10;b&#xA;c', 'a\nb\nc'],
    ['&#128512;', '😀'],
    ['&#55357;&#56832;', '😀'],
    ['&amp;#10;', '&#10;'],
    ['a\nb', 'a\nb'],
    ['a > b', 'a > b'],
  ])('references: %s', (written, text) => {
    expect(one(`text="${written}"`)?.text).toBe(text)
  })

  test('single quotes, blanks and line feeds between attributes', () => {
    expect(one(`text = 'a "b"'\n\tchecked\n=\n"true"\r\n`)).toMatchObject({ text: 'a "b"', checked: true })
  })

  test.each(['<hierarchy rotation="0"/>', '<hierarchy rotation="0"></hierarchy>', '<hierarchy></hierarchy>'])(
    'an empty screen: %s',
    xml => expect(parsed(xml)).toEqual({ rotation: 0, roots: [] }),
  )
})

describe('what is not a hierarchy', () => {
  const NODE = '<node bounds="[0,0][1,1]"'
  test.each([
    ['', 'there is no hierarchy'],
    ['ERROR: could not get idle state.', 'there is no hierarchy'],
    ['<hierarchy rotation="0">', 'truncated'],
    [`<hierarchy>${NODE}>`, 'truncated'],
    [`<hierarchy>${NODE}`, 'truncated'],
    [`<hierarchy>${NODE} text="a`, 'truncated'],
    [`<hierarchy>${NODE} text="a/></hierarchy>`, 'malformed'],
    [`<hierarchy>${NODE} text=a/></hierarchy>`, 'malformed'],
    [`<hierarchy>${NODE}text="a"/></hierarchy>`, 'malformed'],
    [`<hierarchy>${NODE} text="a<b"/></hierarchy>`, 'malformed'],
    [`<hierarchy>${NODE} text="a" text="b"/></hierarchy>`, 'twice'],
    [`<hierarchy>${NODE} text="a & b"/></hierarchy>`, 'not a valid entity'],
    [`<hierarchy>${NODE} text="&nbsp;"/></hierarchy>`, 'not a valid entity'],
    [`<hierarchy>${NODE} text="&#1114112;"/></hierarchy>`, 'not a valid entity'],
    ['<hierarchy><node/></hierarchy>', 'bounds none'],
    ['<hierarchy><node bounds="[0,0][1]"/></hierarchy>', 'bounds [0,0][1]'],
    ['<hierarchy rotation="9"/>', 'rotation is 9'],
    ['<hierarchy rotation="0"></node></hierarchy>', 'without a start tag'],
    [`<hierarchy>${NODE}></hierarchy>`, 'within a node'],
    ['<hierarchy><nodes/></hierarchy>', 'elements other than nodes'],
    ['<hierarchy>text</hierarchy>', 'elements other than nodes'],
    ['<hierarchy><!-- a --></hierarchy>', 'elements other than nodes'],
    ['<hierarchyx/>', 'malformed'],
  ])('%s', (xml, problem) => {
    const result = parseHierarchy(xml)
    expect(result).toMatchObject({ ok: false, problem: expect.stringContaining(problem) })
  })

  test('every proper beginning of a dump is told from the whole', () => {
    const xml = snapshotXml(screen(node({ text: 'a&b', children: [node(), node({ children: [node()] })] })))
    for (let length = 0; length < xml.length; length++) expect(parseHierarchy(xml.slice(0, length)).ok).toBe(false)
    expect(parseHierarchy(xml).ok).toBe(true)
  })

  test('bounds hold', () => {
    const nested = (depth: number) =>
      `<hierarchy>${'<node bounds="[0,0][1,1]">'.repeat(depth)}${'</node>'.repeat(depth)}</hierarchy>`
    expect(parseHierarchy(nested(HIERARCHY_LIMITS.depth)).ok).toBe(true)
    expect(parseHierarchy(nested(HIERARCHY_LIMITS.depth + 1))).toMatchObject({
      ok: false,
      problem: expect.stringContaining('deep'),
    })
    const wide = `<hierarchy>${'<node bounds="[0,0][1,1]"/>'.repeat(HIERARCHY_LIMITS.nodes + 1)}</hierarchy>`
    expect(parseHierarchy(wide)).toMatchObject({ ok: false, problem: expect.stringContaining('nodes') })
    expect(parseHierarchy('x'.repeat(HIERARCHY_LIMITS.chars + 1))).toMatchObject({ ok: false })
  })
})

/** Reads of hostile XML are counted in work, not in time: twice the text may cost four times the time at most, with slack. */
describe('no input makes it slow', () => {
  const cases: Record<string, (n: number) => string> = {
    blanks: n => `<hierarchy ${' '.repeat(n)}`,
    'an open value': n => `<hierarchy a="${'x'.repeat(n)}`,
    'a long name': n => `<hierarchy ${'x'.repeat(n)}`,
    'many references': n => `<hierarchy><node bounds="[0,0][1,1]" text="${'&#10;'.repeat(n / 5)}"/></hierarchy>`,
    ampersands: n => `<hierarchy><node bounds="[0,0][1,1]" text="${'&'.repeat(n)}"/></hierarchy>`,
    beginnings: n => '<hierarchy'.repeat(n / 10),
    'blank nodes': n => `<hierarchy>${`<node bounds="[0,0][1,1]"${' '.repeat(500)}/>`.repeat(n / 527)}</hierarchy>`,
  }
  test.each(Object.keys(cases))('%s', name => {
    const began = process.hrtime.bigint()
    parseHierarchy(cases[name]?.(1_000_000) ?? '')
    const ms = Number((process.hrtime.bigint() - began) / 1_000_000n)
    expect(ms, 'a quadratic reader needs minutes').toBeLessThan(5_000)
  })
})

test.each([
  ['Search', 'Search', { text: 'Search', hint: 'Search' }],
  ['Ada', 'Name', { text: 'Ada' }],
  ['', 'Name', { text: '' }],
  ['', '', { text: '' }],
])('a text of %j with the hint %j', (text, hint, seen) => {
  const parsed = parseHierarchy(
    `<hierarchy rotation="0"><node text="${text}" hint="${hint}" bounds="[0,0][9,9]" /></hierarchy>`,
  )
  if (!parsed.ok) throw new Error(parsed.problem)
  const [field] = parsed.tree.roots
  expect({ text: field?.text, ...(field?.hint === undefined ? {} : { hint: field.hint }) }).toEqual(seen)
})
