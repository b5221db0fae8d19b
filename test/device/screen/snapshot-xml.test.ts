import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { UiNode, UiTree } from '../../../src/contracts/device/ui-tree.ts'
import { parseHierarchy } from '../../../src/device/screen/parse-hierarchy.ts'
import { snapshotXml } from '../../../src/device/screen/snapshot-xml.ts'
import { writableXml } from '../../../src/runtime/text/xml-text.ts'
import { anyTree, legalTree } from '../../support/device/arbitrary-tree.ts'
import { node, screen } from '../../support/device/fake-ui-driver.ts'

const flags = (set: string) =>
  [
    'checkable',
    'checked',
    'clickable',
    'enabled',
    'focusable',
    'focused',
    'scrollable',
    'long-clickable',
    'password',
    'selected',
  ]
    .map(name => ` ${name}="${set.split(' ').includes(name)}"`)
    .join('')

test('the exact form', () => {
  const leaf = node({ text: 'a\nb\tc', contentDesc: `<&>"'`, selected: true, at: [-1, 2, 3, 4] })
  const tree: UiTree = {
    rotation: 1,
    roots: [
      node({
        resourceId: 'com.example:id/x',
        className: 'android.widget.FrameLayout',
        clickable: true,
        longClickable: true,
        at: [0, 0, 1080, 2400],
        children: [leaf, node({ text: '\u0001\uD800😀\r', enabled: false })],
      }),
      node({ checkable: true, checked: true, focusable: true, focused: true, scrollable: true, password: true }),
    ],
  }
  expect(snapshotXml(tree)).toBe(
    `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
<hierarchy rotation="1">
  <node index="0" text="" resource-id="com.example:id/x" class="android.widget.FrameLayout" package="com.example" content-desc=""${flags('clickable enabled long-clickable')} bounds="[0,0][1080,2400]">
    <node index="0" text="a
b\tc" resource-id="" class="android.view.View" package="com.example" content-desc="&lt;&amp;&gt;&quot;'"${flags('enabled selected')} bounds="[-1,2][3,4]" />
    <node index="1" text="\uFFFD\uFFFD😀&#13;" resource-id="" class="android.view.View" package="com.example" content-desc=""${flags('')} bounds="[0,0][100,100]" />
  </node>
  <node index="1" text="" resource-id="" class="android.view.View" package="com.example" content-desc=""${flags('checkable checked enabled focusable focused scrollable password')} bounds="[0,0][100,100]" />
</hierarchy>`,
  )
})

test('an empty screen', () => {
  expect(snapshotXml(screen())).toBe(
    `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n<hierarchy rotation="0">\n</hierarchy>`,
  )
})

const written = (one: UiNode): UiNode => ({
  ...one,
  text: writableXml(one.text),
  resourceId: writableXml(one.resourceId),
  className: writableXml(one.className),
  packageName: writableXml(one.packageName),
  contentDesc: writableXml(one.contentDesc),
  children: one.children.map(written),
})

describe('what is written is read back', () => {
  test('exactly, when XML can carry it', () => {
    fc.assert(
      fc.property(legalTree, tree => {
        expect(parseHierarchy(snapshotXml(tree))).toEqual({ ok: true, tree })
      }),
    )
  })

  test('with a sign in place of what it cannot carry', () => {
    fc.assert(
      fc.property(anyTree, tree => {
        const expected = { ...tree, roots: tree.roots.map(written) }
        expect(parseHierarchy(snapshotXml(tree))).toEqual({ ok: true, tree: expected })
      }),
    )
  })
})

test('a tree deeper than the stack is written', () => {
  let deep = node()
  for (let depth = 0; depth < 5_000; depth++) deep = node({ children: [deep] })
  expect(snapshotXml(screen(deep)).split('\n')).toHaveLength(2 + 5_001 + 5_000 + 1)
})

test('what the driver could not learn is left out, and an empty field keeps its hint as text', () => {
  const tree = {
    ...screen(node({ text: 'Search "all"', hint: 'Search "all"', checked: true })),
    unknown: ['checkable', 'checked', 'longClickable'] as const,
  }
  const xml = snapshotXml(tree)
  expect(xml).not.toMatch(/ (?:checkable|checked|long-clickable)=/)
  expect(xml).toContain(' text="Search &quot;all&quot;"')
  expect(xml).toContain('" hint="Search &quot;all&quot;"')
  expect(parseHierarchy(xml)).toMatchObject({
    ok: true,
    tree: { roots: [{ text: 'Search "all"', hint: 'Search "all"' }] },
  })
})
