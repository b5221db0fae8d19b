/** The three languages in which clients of WebDriver locate elements. */
import { walk } from '../../../src/contracts/device/ui-tree.ts'
import { locate } from '../../../src/device/screen/locators/locate.ts'
import { parseHierarchy } from '../../../src/device/screen/parse-hierarchy.ts'
import { mutateText } from '../mutate/text.ts'
import { bytesOf, expectThat, stateless, type Target } from '../target.ts'
import { hierarchy } from './screens.ts'

const [SCREEN = ''] = hierarchy.seeds
const parsed = parseHierarchy(bytesOf(SCREEN).toString())
if (!parsed.ok) throw new Error(parsed.problem)
const { tree } = parsed
const nodes = new Set([...walk(tree.roots)].map(({ node }) => node))
const [within] = walk(tree.roots)
const LIMITS = { timeoutMs: 300 }

/** A located node is one of the screen, and a refusal is a sentence. */
const locating = (
  name: string,
  strategy: string,
  seeds: readonly string[],
  words: readonly [string, ...string[]],
): Target => ({
  name,
  seeds,
  mutate: mutateText(words),
  // An expression may take as long as its limit.
  msMax: 2_500,
  open: stateless(async input => {
    const query = { strategy, value: input.toString('utf8'), tree, foregroundPackage: 'a.b', limits: LIMITS }
    const found = await locate(query)
    await locate({ ...query, within })
    if (!found.ok) {
      expectThat(/^[A-Z]/.test(found.message) && /[.?]$/.test(found.message), `no sentence: ${found.message}`)
      expectThat(found.message.length < 2_000, 'a refusal longer than what it refuses')
      return 'refused'
    }
    expectThat(
      found.nodes.every(({ node }) => nodes.has(node)),
      'a node of another screen',
    )
    expectThat(new Set(found.nodes.map(({ node }) => node)).size === found.nodes.length, 'a node twice')
    return 'accepted'
  }),
})

export const xpaths = locating(
  'xpath',
  'xpath',
  [
    '//*[@text="Save"]',
    '//android.widget.Button[contains(@resource-id, "save")]/..//*[position() < last()]',
    '(//node | //*)[2]/ancestor::*[not(@enabled = "false") and string-length(@text) > 1 div 2]',
    'count(//*)',
    '//*[starts-with(translate(@text, "AB", "ab"), normalize-space(" s "))]/following-sibling::*[1]',
  ],
  [
    ...[
      '//',
      '/',
      '*',
      '@text',
      '@bounds',
      '[',
      ']',
      '(',
      ')',
      '|',
      ' and ',
      ' or ',
      'not(',
      '..',
      '.',
      '::',
      'ancestor',
    ],
    ...[
      'descendant-or-self',
      'preceding',
      'following',
      'self',
      'attribute',
      'namespace',
      'position()',
      'last()',
      'id("a")',
    ],
    ...[
      'contains(',
      'concat(',
      'substring(',
      'number(',
      'sum(//@index)',
      'string(',
      '"',
      "'",
      ',',
      '=',
      '!=',
      '<=',
      ' div ',
    ],
    ...[
      ' mod ',
      '-',
      '1',
      '1.5',
      '$x',
      'node()',
      'text()',
      'comment()',
      'processing-instruction()',
      'lang("en")',
      'xmlns:',
    ],
  ] as unknown as readonly [string, ...string[]],
)

export const uiSelectors = locating(
  'ui-selector',
  '-android uiautomator',
  [
    'new UiSelector().text("Save").clickable(true).instance(0)',
    'new UiScrollable(new UiSelector().scrollable(true).instance(0)).setMaxSearchSwipes(3).scrollIntoView(new UiSelector().textMatches("S.*"));',
    'new UiSelector().className("android.widget.Button").fromParent(new UiSelector().resourceIdMatches(".*save")).index(1)',
    'new UiScrollable(new UiSelector()).getChildByText(new UiSelector().className("a"), "b", true)',
  ],
  [
    ...[
      'new ',
      'UiSelector()',
      'UiScrollable(',
      '.text(',
      '.textContains(',
      '.textMatches(',
      '.descriptionStartsWith(',
    ],
    ...[
      '.className(',
      '.resourceId(',
      '.childSelector(',
      '.fromParent(',
      '.index(',
      '.instance(',
      '.checked(',
      'true',
      'false',
    ],
    ...[
      '.scrollIntoView(',
      '.scrollForward(',
      '.setMaxSearchSwipes(',
      '.getChildByText(',
      '.flingToEnd(',
      '"',
      '\\u0041',
    ],
    ...['\\', '"a.*"', '"(a+)+$"', '"(?i)x"', '0', '-1', '2147483648', ';', ',', ')', '('],
  ] as unknown as readonly [string, ...string[]],
)

export const cssSelectors = locating(
  'css-selector',
  'css selector',
  ['#save', 'android.widget.Button[text="Save"]', '*[resource-id^="a.b"]:checked, .TextView:nth-child(1)', 'a\\.b > c'],
  [
    '#',
    '.',
    '*',
    '[',
    ']',
    '=',
    '^=',
    '$=',
    '*=',
    '~=',
    '|=',
    '"',
    "'",
    ':',
    ':nth-child(',
    ':not(',
    ')',
    '>',
    '+',
    ',',
    ' ',
    'text',
    'id',
    '\\',
    '\\41 ',
    'checked',
    'instance',
  ],
)
