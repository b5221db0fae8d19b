/** XPath 1.0 over the page source: what it finds, its bounds, and that the short way finds the same. */
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { type FoundNode, type UiTree, walk } from '../../../../src/contracts/device/ui-tree.ts'
import { locate } from '../../../../src/device/screen/locators/locate.ts'
import { evaluateXPath } from '../../../../src/device/screen/locators/xpath/evaluate-xpath.ts'
import { createXPathEvaluator } from '../../../../src/device/screen/locators/xpath/xpath-evaluator.ts'
import { alikeTree } from '../../../support/device/arbitrary-screen.ts'
import { node, screen } from '../../../support/device/fake-ui-driver.ts'
import { SHOP, shopTree } from '../../../support/device/locator-screen.ts'
import { propertyRuns } from '../../../support/property-runs.ts'
import { wait } from '../../../support/until.ts'

const ask = (value: string, more: { tree?: UiTree; within?: FoundNode; limits?: object } = {}) =>
  locate({ strategy: 'xpath', value, tree: shopTree, foregroundPackage: SHOP, ...more })
const texts = async (value: string, within?: FoundNode) => {
  const located = await ask(value, within ? { within } : {})
  if (!located.ok) throw new Error(located.message)
  return located.nodes.map(found => found.node.text || found.node.className.split('.').at(-1))
}
const problem = async (value: string, more = {}) => {
  const located = await ask(value, more)
  return located.ok ? 'no problem' : located.message
}
const row = [...walk(shopTree.roots)].find(({ node: each }) => each.children[0]?.text === 'Table')

test.each<[expression: string, found: string[]]>([
  ['//android.widget.CheckBox', ['Gift']],
  ['//*[@text="Buy"]', ['Buy', 'Buy', 'Buy']],
  [`//*[@resource-id='${SHOP}:id/name']`, ['Chair', 'Table', 'Lamp']],
  ['//*[@text=\'Shop "24" & more\']', ['Shop "24" & more']],
  ['//androidx.appcompat.app.ActionBar.Tab[@selected="true"]', ['Offers\nof today']],
  ['//*[contains(@text, "€") and starts-with(@text, "2")]', ['20 €']],
  ['//*[@text="Table"]/following-sibling::android.widget.Button', ['Buy']],
  ['//*[@text="Table"]/../android.widget.TextView[2]', ['20 €']],
  ['(//android.widget.TextView)[last()]', ['5 €']],
  ['//android.widget.LinearLayout[.//*[@text="Lamp"]]/*[@clickable="true"]', ['Buy']],
  ['//*[@scrollable="true"]/*[position() > 1]/*[1]', ['Table', 'Lamp']],
  ['//*[@index="3"][@displayed="true"]', ['Offers\nof today']],
  ['//*[@hint="Name"] | //*[@checked="true"]', ['Name', 'Gift']],
  ['/hierarchy/android.widget.FrameLayout/*[@text="Tagged"]', ['Tagged']],
  ['/hierarchy', []],
  ['//*[@bounds="[0,500][1080,600]"]', ['LinearLayout']],
  ['//*[@text="nothing"]', []],
])('%s', async (expression, found) => expect(await texts(expression)).toEqual(found))

test('from an element, a relative path begins there, and an absolute one at the document', async () => {
  expect(await texts('.//*[@text="Buy"]', row)).toEqual(['Buy'])
  expect(await texts('./android.widget.TextView', row)).toEqual(['Table', '20 €'])
  expect(await texts('../*[3]/*[1]', row)).toEqual(['Lamp'])
  expect(await texts('//*[@text="Gift"]', row)).toEqual(['Gift'])
})

test.each<[expression: string, problem: RegExp]>([
  ['//*[@text=', /^The XPath expression \/\/\*\[@text= cannot be parsed \(.*\); expected XPath 1\.0\.$/],
  ['//*/@text', /gives attributes or the document itself; expected elements\.$/],
  ['count(//*)', /gives a text, a number or a truth value; expected elements\.$/],
  ['"text"', /gives a text, a number or a truth value/],
  ['//*[matches(@text, "a")]', /cannot be evaluated: .*matches/],
  ['//*[@text=$name]', /cannot be evaluated/],
  ['//x:y', /cannot be evaluated: Cannot resolve QName x\.$/],
])('%s is refused', async (expression, expected) => expect(await problem(expression)).toMatch(expected))

const flat = (count: number): UiTree => screen(node({ children: Array.from({ length: count }, () => node()) }))
const ENDLESS = `//*${'[//*[//*]]'.repeat(8)}`

test('an expression that takes too long is ended', async () => {
  const answer = await problem(ENDLESS, { tree: flat(400), limits: { timeoutMs: 50 } })
  expect(answer).toMatch(/took longer than 50 ms; use a shorter one/)
})

test('a screen that is too large is refused, and so is an expression', async () => {
  expect(await problem('//*[1]', { tree: flat(100), limits: { chars: 1_000 } })).toMatch(
    /at most 1000 characters; use another/,
  )
  expect(await problem(`//*[@text="${'x'.repeat(70_000)}"]`)).toMatch(/longer than 65536 characters/)
})

test('plain expressions are answered as the engine answers them', () => {
  const tag = fc.constantFrom('*', 'android.widget.TextView', 'android.widget.Button', 'hierarchy', 'div', 'text')
  const name = fc.constantFrom(
    'text',
    'resource-id',
    'class',
    'content-desc',
    'scrollable',
    'index',
    'bounds',
    'hint',
    'x',
  )
  const value = fc.constantFrom('', 'Buy', 'Milk', 'true', 'app:id/row', '0', 'android.widget.Button', '[0,0][100,100]')
  const plain = fc.oneof(
    tag.map(each => `//${each}`),
    fc.tuple(tag, name, value).map(([each, key, wanted]) => `//${each}[@${key}="${wanted}"]`),
  )
  return fc.assert(
    fc.asyncProperty(alikeTree, plain, async (tree, expression) => {
      const located = await ask(expression, { tree })
      const all = [...walk(tree.roots)].map(each => each.node)
      const task = { expression, tree, screen: { width: 400, height: 400 }, timeoutMs: 2_000 }
      const positions = located.ok && located.nodes.map(each => all.indexOf(each.node))
      expect({ ok: located.ok, positions }).toEqual(evaluateXPath(task))
    }),
    { numRuns: propertyRuns(500) },
  )
})

describe('in a thread', () => {
  const xpath = createXPathEvaluator(fileURLToPath(new URL('../../../../dist/threads/xpath.js', import.meta.url)))
  afterAll(() => xpath.close())
  const inThread = (value: string, tree: UiTree, more = {}) =>
    locate({ strategy: 'xpath', value, tree, foregroundPackage: SHOP, xpath, ...more })

  test('others are served while an expression takes its time, and the thread answers again', async () => {
    let turns = 0
    let isOver = false
    const served = (async () => {
      for (; !isOver; turns++) await wait(10)
    })()
    const late = await inThread(ENDLESS, flat(400), { limits: { timeoutMs: 500 } })
    isOver = true
    await served
    expect(late).toMatchObject({ ok: false, message: expect.stringContaining('took longer than 500 ms') })
    expect(turns).toBeGreaterThan(5)
    const found = await inThread('(//android.widget.TextView)[2]', shopTree)
    expect(found.ok && found.nodes.map(each => each.node.text)).toEqual(['Chair'])
  })

  test('it ends with the signal', async () => {
    const signal = AbortSignal.timeout(50)
    await expect(inThread(ENDLESS, flat(400), { signal })).rejects.toThrow()
  })
})
