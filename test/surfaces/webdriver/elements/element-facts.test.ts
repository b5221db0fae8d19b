/** Attributes of elements by the names that Appium's UiAutomator2 driver answers. */
import { expect, test } from 'vitest'
import { walk } from '../../../../src/contracts/device/ui-tree.ts'
import { attributeOf, isDisplayed, rectOf, textOf } from '../../../../src/surfaces/webdriver/elements/element-facts.ts'
import { node, screen } from '../../../support/device/fake-ui-driver.ts'

const tree = screen(
  node({
    children: [
      node(),
      node({
        className: 'android.widget.EditText',
        packageName: 'com.example',
        resourceId: 'com.example:id/name',
        text: 'Name',
        hint: 'Name',
        focusable: true,
        password: true,
        at: [10, 20, 110, 221],
      }),
    ],
  }),
)
const [, plain, field] = [...walk(tree.roots)]
const attribute = (name: string, of = field) => of && attributeOf(of, name, { tree })

test.each<[name: string, value: string | null]>([
  ['text', 'Name'],
  ['name', 'Name'],
  ['hint', 'Name'],
  ['class', 'android.widget.EditText'],
  ['className', 'android.widget.EditText'],
  ['resource-id', 'com.example:id/name'],
  ['resourceId', 'com.example:id/name'],
  ['package', 'com.example'],
  ['content-desc', null],
  ['contentDescription', null],
  ['bounds', '[10,20][110,221]'],
  ['index', '1'],
  ['enabled', 'true'],
  ['checked', 'false'],
  ['longClickable', 'false'],
  ['PASSWORD', 'true'],
  ['displayed', 'true'],
  ['selection-start', null],
])('%s is %s', (name, value) => expect(attribute(name)).toEqual({ ok: true, value }))

test('a name that no element has is an error that names those there are', () => {
  expect(attribute('value', plain)).toEqual({
    ok: false,
    message: expect.stringMatching(
      /^'value' attribute is unknown for the element\. Only the following attributes are supported: \[checkable, .*\{class,className\}/,
    ),
  })
})

test.each([
  ['content-des', 'content-desc'],
  ['clickible', 'clickable'],
  ['resource', 'resource-id'],
])('%s is nearly %s', (name, meant) => {
  expect(attribute(name, plain)).toMatchObject({ message: expect.stringContaining(` Did you mean ${meant}?`) })
})

test('text, place and size', () => {
  const shown = field?.node ?? node()
  expect(textOf(shown)).toBe('Name')
  expect(rectOf(shown)).toEqual({ x: 10, y: 20, width: 100, height: 201 })
  expect([isDisplayed(shown), isDisplayed(node({ at: [0, 0, 0, 0] }))]).toEqual([true, false])
})
