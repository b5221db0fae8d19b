/** Which elements each locator strategy finds on one screen, and what it says to a value that it cannot read. */
import { describe, expect, test } from 'vitest'
import { type FoundNode, walk } from '../../../../src/contracts/device/ui-tree.ts'
import { locate } from '../../../../src/device/screen/locators/locate.ts'
import { SHOP, shopTree } from '../../../support/device/locator-screen.ts'

const all = [...walk(shopTree.roots)]
const nameOf = ({ node }: FoundNode) =>
  node.contentDesc || node.text || `#${node.resourceId.split('/').at(-1)}` || node.className

const ask = (strategy: string, value: string, within?: FoundNode) =>
  locate({ strategy, value, within, tree: shopTree, foregroundPackage: SHOP })
const names = async (strategy: string, value: string, within?: FoundNode) => {
  const located = await ask(strategy, value, within)
  if (!located.ok) throw new Error(located.message)
  return located.nodes.map(nameOf)
}
const problem = async (strategy: string, value: string) => {
  const located = await ask(strategy, value)
  return located.ok ? located.nodes.map(nameOf) : located.message
}
const TITLE = 'Shop "24" & more'
const tableRow = all.filter(({ node }) => node.resourceId === `${SHOP}:id/row`)[1]

describe('simple strategies', () => {
  test.each<[strategy: string, value: string, found: string[]]>([
    ['accessibility id', 'Buy Table', ['Buy Table']],
    ['accessibility id', 'Buy', []],
    ['id', `${SHOP}:id/price`, ['10 €', '20 €', '5 €']],
    ['id', 'price', ['10 €', '20 €', '5 €']],
    ['id', 'title', [TITLE]],
    ['id', 'compose_tag', ['Tagged']],
    ['id', 'com.other:id/price', []],
    ['class name', 'android.widget.EditText', ['Name']],
    ['class name', 'EditText', []],
  ])('%s %s', async (strategy, value, found) => expect(await names(strategy, value)).toEqual(found))

  test('within an element, what is inside of it', async () => {
    expect(await names('id', 'price', tableRow)).toEqual(['20 €'])
    expect(await names('class name', 'android.widget.LinearLayout', tableRow)).toEqual([])
  })

  test.each(['name', 'link text', 'tag name', '-android viewtag', '-image', '-custom', '-android datamatcher', ''])(
    'the strategy %s is refused, and those there are are named',
    async strategy =>
      expect(await problem(strategy, 'x')).toMatch(
        /expected one of accessibility id, id, class name, xpath, -android uiautomator, css selector\.$/,
      ),
  )

  test.each([
    ['accessibilityId', 'accessibility id'],
    ['classname', 'class name'],
    ['uiautomator', '-android uiautomator'],
    ['css', 'css selector'],
  ])('the strategy %s is nearly %s', async (strategy, meant) =>
    expect(await problem(strategy, 'x')).toContain(`is not supported. Did you mean ${meant}? Expected one of`),
  )

  test('an empty value means nothing', async () =>
    expect(await problem('id', '')).toMatch(/^The locator strategy id needs/))
})

describe('css selectors, as clients send them in place of ids and class names', () => {
  test.each<[selector: string, found: string[]]>([
    ['*[id="price"]', ['10 €', '20 €', '5 €']],
    ['[id="android:id/title"]', [TITLE]],
    ['#com\\.example\\.shop\\:id\\/list', ['#list']],
    ['#price', ['10 €', '20 €', '5 €']],
    ['.android.widget.CheckBox', ['Gift']],
    ['.android\\.widget\\.CheckBox', ['Gift']],
    ['android.widget.CheckBox:checked', ['Gift']],
    ['android.widget.CheckBox[enabled="true"]', []],
    ['[text="Gift"][checked]', ['Gift']],
    ['[text^="shop"]', [TITLE]],
    ['[description*="LAMP"]', ['Buy Lamp']],
    ['[resource-id$="_field"]', ['Name']],
    ['#row:nth-child(1) > #price', ['20 €']],
    ['#list #price:instance(2)', ['5 €']],
    ['#price, #title', [TITLE, '10 €', '20 €', '5 €']],
  ])('%s', async (selector, found) => expect(await names('css selector', selector)).toEqual(found))

  test.each<[selector: string, problem: RegExp]>([
    ['*[name="x"]', /native context .*, not name, at position/],
    ['a + b', /a blank, > or a comma: no other combinator is known at position 2/],
    ['[text=', /a value in quotes at position 6, found the end/],
    ['#', /an id at position 1/],
    [':hover', /not :hover/],
  ])('%s is no selector', async (selector, expected) =>
    expect(await problem('css selector', selector)).toMatch(expected),
  )
})

describe('UiAutomator expressions', () => {
  const ui = (calls: string) => `new UiSelector()${calls}`
  test.each<[expression: string, found: string[]]>([
    [ui('.text("Buy")'), ['Buy Chair', 'Buy Table', 'Buy Lamp']],
    [ui('.text("buy")'), []],
    [ui('.textContains("24\\" & M")'), [TITLE]],
    [ui('.textStartsWith("OFFERS")'), ['Offers\nof today']],
    [ui('.textMatches("[0-9]+ €")'), ['10 €', '20 €', '5 €']],
    [ui('.textMatches("(?i)offers.*today")'), ['Offers\nof today']],
    [ui('.textMatches("offers.*today")'), []],
    [ui('.description("Buy Lamp")'), ['Buy Lamp']],
    [ui('.descriptionMatches("Buy (Chair|Lamp)")'), ['Buy Chair', 'Buy Lamp']],
    [ui('.resourceIdMatches(".*:id/pri.e").instance(1)'), ['20 €']],
    [ui('.className(android.widget.EditText.class)'), ['Name']],
    [ui('.classNameMatches(".*Check.*").checked(true).enabled(false)'), ['Gift']],
    [ui(`.packageName("${SHOP}").scrollable(true)`), []],
    [ui('.scrollable(true)'), ['#list']],
    [ui('.index(0).className("android.widget.TextView")'), [TITLE, 'Chair', 'Table', 'Lamp']],
    [ui('.resourceIdMatches(".*row").childSelector(new UiSelector().textContains("€"))'), ['10 €', '20 €', '5 €']],
    [ui('.resourceIdMatches(".*row").instance(2).childSelector(new UiSelector().index(1))'), ['5 €']],
    [ui('.text("Table").fromParent(new UiSelector().text("Buy"))'), ['Buy Table']],
    [' UiSelector( ) . text( "Gift" ) ; ', ['Gift']],
    [`${ui('.text("Gift")')};${ui('.text("Name")')}`, ['Gift', 'Name']],
    ['new UiScrollable(new UiSelector().scrollable(true)).scrollIntoView(new UiSelector().text("Lamp"))', ['Lamp']],
    [
      'new UiScrollable(new UiSelector().scrollable(true)).setAsVerticalList().getChildByText(new UiSelector().resourceIdMatches(".*row"), "Table")',
      ['#row'],
    ],
    [
      'new UiScrollable(new UiSelector().scrollable(true)).getChildByInstance(new UiSelector().text("Buy"), 2)',
      ['Buy Lamp'],
    ],
    [ui('.text("Off\\u0065rs\\nof today")'), ['Offers\nof today']],
  ])('%s', async (expression, found) => expect(await names('-android uiautomator', expression)).toEqual(found))

  test('within an element', async () => {
    expect(await names('-android uiautomator', ui('.text("Buy")'), tableRow)).toEqual(['Buy Table'])
  })

  test.each<[expression: string, problem: string | RegExp]>([
    ['text("x")', /at position 0: expected new UiSelector\(\), found "text\(\\"x\\"\)"/],
    [ui('.text(x)'), /at position 22: expected a text in double quotes in text\(\.\.\.\), found "x\)"/],
    [ui('.text("x'), /at position 22: expected the double quotes that end the text/],
    [ui('.tex("x")'), /at position 17: expected a method of UiSelector \(text, textContains/],
    [ui('.checked(maybe)'), /expected true or false in checked/],
    [ui('.index(-1)'), /expected a number from 0 on/],
    [ui('.textMatches("(a")'), /expected a regular expression of Java, and "\(a" is none/],
    [ui('.textMatches("(a)\\\\1")'), /refers to a group/],
    [ui('.text("x") .'), /expected the name of a method after the dot, found the end/],
    [ui('.text("x") x'), /expected a dot, a semicolon or the end/],
    ['new UiScrollable(new UiSelector()).flingForward()', /must give an element/],
    ['new UiScrollable(new UiSelector()).setMaxSearchSwipes(101)', /a number from 0 to 100/],
  ])('%s cannot be read', async (expression, expected) => {
    expect(await problem('-android uiautomator', expression)).toMatch(expected)
  })

  test.each(['xpath', '-android uiautomator', 'css selector'])(
    'a refusal of the strategy %s is short, however long its value is',
    async strategy => {
      expect((await problem(strategy, '('.repeat(10_000))).length).toBeLessThan(1_000)
    },
  )

  test('a pattern that would backtrack for ever, and selectors without end, are answered', async () => {
    expect(await names('-android uiautomator', ui('.textMatches("(a+)+b")'))).toEqual([])
    const deep = `${'new UiSelector().childSelector('.repeat(60)}new UiSelector()${')'.repeat(60)}`
    expect(await problem('-android uiautomator', deep)).toMatch(/at most 50 selectors within each other/)
  })
})
