/** The page source says what XPath sees, whatever the texts of an application are. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type UiTree, walk } from '../../../../src/contracts/device/ui-tree.ts'
import { pageSource } from '../../../../src/device/screen/locators/page-source.ts'
import { tagOf } from '../../../../src/device/screen/locators/source-node.ts'
import { xpathScreen } from '../../../../src/device/screen/locators/xpath/xpath-document.ts'
import { parseHierarchy } from '../../../../src/device/screen/parse-hierarchy.ts'
import { anyTree } from '../../../support/device/arbitrary-tree.ts'
import { node, screen } from '../../../support/device/fake-ui-driver.ts'
import { propertyRuns } from '../../../support/property-runs.ts'

const SCREEN = { width: 1_080, height: 2_208 }

test('is written as Appium writes it', () => {
  const tree = screen(
    node({
      className: 'android.widget.FrameLayout',
      packageName: 'com.example',
      children: [
        node({
          className: 'a.b.C$D',
          text: 'Fish & "chips"\n<5>',
          contentDesc: 'Menu',
          resourceId: 'a:id/b',
          hint: 'Dish',
        }),
      ],
    }),
  )
  const flags =
    'checkable="false" checked="false" clickable="false" enabled="true" focusable="false" focused="false" long-clickable="false" password="false" scrollable="false" selected="false" bounds="[0,0][100,100]" displayed="true"'
  expect(pageSource(tree, SCREEN).split('\n')).toEqual([
    "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>",
    '<hierarchy index="0" class="hierarchy" rotation="0" width="1080" height="2208">',
    `  <android.widget.FrameLayout index="0" package="com.example" class="android.widget.FrameLayout" text="" ${flags}>`,
    `    <a.b.C.D index="0" package="com.example" class="a.b.C$D" text="Fish &amp; &quot;chips&quot;&#10;&lt;5&gt;" content-desc="Menu" resource-id="a:id/b" ${flags} hint="Dish" />`,
    '  </android.widget.FrameLayout>',
    '</hierarchy>',
  ])
})

test.each([
  ['android.widget.TextView', 'android.widget.TextView'],
  ['a.B$C', 'a.B.C'],
  ['a..B$', 'a.B'],
  ['1st View', 'st_View'],
  ['', 'android.view.View'],
  ['...', 'android.view.View'],
  ['日本', '日本'],
  ['\uFEFF', 'android.view.View'],
  ['\uFEFFa\uFEFFb', 'a_b'],
])('the class %s has the tag %s', (className, tag) => expect(tagOf(className)).toBe(tag))

const TAG = /<(\/?)(?!hierarchy|\?)[^\s/>]+/g

/** The attributes of each element, as a reader of XML has them. */
const readBack = (source: string) => {
  const attributes: [string, string][][] = []
  const parsed = parseHierarchy(source.replace(TAG, '<$1node'), (_, given) => void attributes.push([...given]))
  expect(parsed).toMatchObject({ ok: true })
  return attributes
}

test('every attribute that XPath sees is the one in the source', () => {
  fc.assert(
    fc.property(anyTree, (tree: UiTree) => {
      const source = pageSource(tree, SCREEN)
      const { elements } = xpathScreen(tree, SCREEN)
      expect(elements).toHaveLength([...walk(tree.roots)].length)
      const seen = elements.map(({ attributes }) => Array.from(attributes, ({ name, value }) => [name, value]))
      expect(readBack(source)).toEqual(seen)
      const tags = [...source.matchAll(/<(?!hierarchy|\?|\/)([^\s/>]+)/g)].map(([, tag]) => tag)
      expect(tags).toEqual(elements.map(({ nodeName }) => nodeName))
    }),
    { numRuns: propertyRuns(200) },
  )
})
