import { describe, expect, test } from 'vitest'
import type { UiNode } from '../../../../src/contracts/device/ui-tree.ts'
import { type Display, mayHoldChecks, readingHelperTree } from '../../../../src/device/operators/uiautomator/tree.ts'
import { withoutPauses } from '../../../../src/runtime/yielding.ts'
import { writeHierarchy } from '../../../../src/simulator/helper/hierarchy.ts'
import { phoneOf } from '../../../support/simulator/simulated-phone.ts'

const readHelperTree = (text: string, display: Display) => withoutPauses(readingHelperTree(text, display))
const holdsChecks = (roots: readonly UiNode[]) => withoutPauses(mayHoldChecks(roots))

const DISPLAY = { width: 1_080, height: 2_400 }

const node = (attributes: string, inside = '') => `<node class="v" package="p" ${attributes}>${inside}</node>`
const xml = (...roots: string[]) => `<?xml version="1.0"?><hierarchy rotation="0">${roots.join('')}</hierarchy>`
const active = (inside = '', bounds = '[0,0][1080,2400]', more = '') =>
  node(`window-index="1" window-active="true" window-bounds="${bounds}" bounds="${bounds}" ${more}`, inside)

const rootsOf = (text: string) => {
  const read = readHelperTree(text, DISPLAY)
  if (!read.ok) throw new Error(read.problem)
  return read.tree.roots
}

/** As dump shows it: of what both can say. */
const comparable = ({ checkable: _, checked: __, longClickable: ___, hint, ...one }: UiNode): object => ({
  ...one,
  text: hint ?? one.text,
  children: one.children.map(comparable),
})

test('the tree of every screen is that of a dump, but for what the helper does not say', () => {
  const phone = phoneOf()
  for (const packageName of phone.packages()) {
    phone.startActivity({ action: 'android.intent.action.MAIN', packageName, extras: {} })
    const tree = phone.tree()
    if (!tree) throw new Error('the screen is off')
    const { xml: written } = writeHierarchy(
      {
        ...{ tree, width: DISPLAY.width, front: { left: 0, top: 0, right: DISPLAY.width, bottom: DISPLAY.height } },
        ...{ isSystem: false, keyboard: undefined, scrollOf: () => undefined },
        isHint: ({ text }) => text.startsWith('Search'),
      },
      { depth: 500, nodes: 20_000 },
    )
    const read = readHelperTree(written, DISPLAY)
    expect(read.ok && read.tree.roots.map(comparable)).toEqual(tree.roots.map(comparable))
    expect(read.ok && read.tree.unknown).toEqual(['checkable', 'checked', 'longClickable'])
  }
})

describe('of what is in it', () => {
  test('only the active window stays', () => {
    const bar = node('window-index="0" window-active="false" text="12:00" bounds="[0,0][9,9]"')
    expect(rootsOf(xml(bar, active(node('text="a" bounds="[0,0][9,9]"'))))).toMatchObject([
      { children: [{ text: 'a' }] },
    ])
  })

  test('a helper without a list of windows gives one root', () => {
    expect(rootsOf(xml(node('text="only" bounds="[0,0][9,9]"')))).toMatchObject([{ text: 'only' }])
  })

  test('what is invisible goes with all that is in it', () => {
    const hidden = node(
      'visible-to-user="false" bounds="[0,0][9,9]"',
      node('visible-to-user="true" text="x" bounds="[0,0][9,9]"'),
    )
    expect(rootsOf(xml(active(hidden)))).toMatchObject([{ children: [] }])
  })

  test('what reaches beyond the display is cut to it', () => {
    const wide = node('bounds="[-50,-9][2000,9999]"')
    const beyond = node('bounds="[1200,10][1300,20]"')
    expect(rootsOf(xml(active(wide + beyond)))[0]?.children.map(({ bounds }) => bounds)).toEqual([
      { left: 0, top: 0, right: 1_080, bottom: 2_400 },
      { left: 1_080, top: 10, right: 1_080, bottom: 20 },
    ])
  })

  test('a display on its side is seen by its windows', () => {
    const read = readHelperTree(xml(active(node('bounds="[2000,0][2400,1080]"'), '[0,0][2400,1080]')), DISPLAY)
    expect(read).toMatchObject({
      ok: true,
      tree: { rotation: 1, roots: [{ children: [{ bounds: { right: 2_400 } }] }] },
    })
  })

  test('the order in which nodes are drawn', () => {
    const drawn = node('drawing-order="2" bounds="[0,0][9,9]"') + node('drawing-order="0" bounds="[0,0][9,9]"')
    expect(rootsOf(xml(active(drawn)))[0]?.children.map(({ drawingOrder }) => drawingOrder)).toEqual([2, undefined])
  })

  test('the hint of an empty field is its text, as in a dump, and is known to be the hint', () => {
    const field = node('text="Search" hint-showing="true" bounds="[0,0][9,9]"')
    expect(rootsOf(xml(active(field)))[0]?.children).toMatchObject([{ text: 'Search', hint: 'Search' }])
  })
})

test.each([
  ['no nodes', xml()],
  ['no active window', xml(node('window-index="0" window-active="false" bounds="[0,0][9,9]"'))],
  ['an active window that is not to be seen', xml(active('', '[0,0][9,9]', 'visible-to-user="false"'))],
  ['XML that is cut off', xml(active()).slice(0, -20)],
  ['no XML', 'nothing'],
])('%s: there is no tree yet', (_, text) => {
  expect(readHelperTree(text, DISPLAY).ok).toBe(false)
})

test.each([
  ['android.widget.Switch', true],
  ['android.widget.CheckBox', true],
  ['com.google.android.material.chip.Chip', true],
  ['android.widget.RadioButton', true],
  ['android.widget.TextView', false],
])('%s may have a check mark: %s', (className, expected) => {
  const roots = rootsOf(xml(active(`<node class="${className}" bounds="[0,0][9,9]"/>`)))
  expect(holdsChecks(roots)).toBe(expected)
})
