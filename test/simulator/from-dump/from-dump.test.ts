import { describe, expect, test } from 'vitest'
import type { UiNode } from '../../../src/contracts/device/ui-tree.ts'
import { DUMP_DEPTH_MAX } from '../../../src/contracts/limits/limits.ts'
import { snapshotXml } from '../../../src/device/screen/snapshot-xml.ts'
import { scenarioFromDumps } from '../../../src/simulator/from-dump/from-dump.ts'
import { node } from '../../support/device/stub-phone.ts'
import { tap, textsOf, uiOf } from '../../support/simulator/simulated-ui.ts'

const SCREEN = { left: 0, top: 0, right: 720, bottom: 1_280 }
const at = (top: number, changes: Partial<UiNode>): UiNode =>
  node({ bounds: { left: 0, top, right: 720, bottom: top + 100 }, ...changes })
const screen = (children: UiNode[], changes: Partial<UiNode> = {}) => ({
  rotation: 0,
  root: node({ className: 'android.widget.FrameLayout', bounds: SCREEN, children, ...changes }),
})
const made = (dumps: Record<string, ReturnType<typeof screen>>, packageName?: string) => {
  const result = scenarioFromDumps(
    Object.entries(dumps).map(([name, dump]) => ({ name, dump })),
    packageName,
  )
  if (!result.ok) throw new Error(result.problem)
  return { ...result, ui: uiOf(result.scenario) }
}

const main = screen([
  at(100, { text: 'Settings' }),
  at(200, { className: 'android.widget.LinearLayout', clickable: true, children: [at(210, { text: 'About' })] }),
  at(400, { text: 'Elsewhere', clickable: true }),
])
const about = screen([
  at(0, { contentDesc: 'Navigate up', className: 'android.widget.ImageButton', clickable: true }),
  at(100, { text: 'About' }),
  at(200, { text: 'Version' }),
])

describe('a scenario of dumps', () => {
  test('has the size of the screen, and leads where labels are titles, and back', () => {
    const { scenario, ui, notes } = made({ main, about })
    expect(scenario.device?.size).toEqual({ width: 720, height: 1_280 })
    tap(ui, 'About')
    expect(textsOf(ui.tree())).toEqual(['About', 'Version'])
    tap(ui, 'Navigate up')
    expect(textsOf(ui.tree())).toContain('Settings')
    tap(ui, 'Elsewhere')
    expect(textsOf(ui.tree())).toContain('Settings')
    expect(notes).toEqual([
      'main: a tap on "About" opens about (inferred)',
      'main: 1 clickable nodes do nothing yet',
      'about: a tap on "Navigate up" goes back (inferred)',
      expect.stringContaining('"onTap": {"goTo": "<screen>"}'),
    ])
  })

  test('says labels without what a terminal would obey', () => {
    const evil = 'About\u001b[2J'
    const to = screen([at(0, { text: evil })])
    const { notes } = made({ main: screen([at(0, { text: evil, clickable: true })]), to })
    expect(notes).toContain('main: a tap on "About [2J" opens to (inferred)')
  })

  test('infers nothing from a title that two screens have', () => {
    const { notes } = made({ main, about, other: about })
    expect(notes.filter(note => note.includes('opens'))).toEqual([])
  })

  test('has an app for each package, or one for all', () => {
    const other = screen([at(0, { text: 'x', packageName: 'com.other' })], { packageName: 'com.other' })
    expect(made({ main, other }).scenario.apps.map(app => app.package)).toEqual(['com.android.settings', 'com.other'])
    const { scenario, ui } = made({ other }, 'com.mine')
    expect(scenario.apps.map(app => app.package)).toEqual(['com.mine'])
    expect(ui.foreground().packageName).toBe('com.mine')
    expect(ui.tree().roots[0]?.packageName).toBe('com.other')
    expect(scenarioFromDumps([{ name: 'a', dump: screen([], { packageName: 'not a name' }) }])).toMatchObject({
      ok: false,
      problem: expect.stringContaining('give --package'),
    })
  })

  test('opens a window that leaves the edges free as a dialog', () => {
    const dialog = screen([at(500, { text: 'About' })], { bounds: { left: 40, top: 480, right: 680, bottom: 620 } })
    const { ui } = made({ main, dialog })
    tap(ui, 'About')
    expect(textsOf(ui.tree())).toEqual(['About'])
    ui.tap({ x: 5, y: 5 })
    expect(textsOf(ui.tree())).toContain('Settings')
  })

  test('names screens apart, whatever the files are called', () => {
    const { scenario } = made({ a: main })
    const names = ['a', 'a', '__proto__', '']
    const result = scenarioFromDumps(names.map(name => ({ name, dump: about })))
    expect(Object.keys(scenario.apps[0]?.screens ?? {})).toEqual(['a'])
    if (!result.ok) throw new Error(result.problem)
    expect(Object.keys(result.scenario.apps[0]?.screens ?? {})).toEqual(['a', 'a-2', 'screen__proto__', 'screen'])
    uiOf(result.scenario)
  })

  test('is valid at the deepest', () => {
    let inner = at(0, { text: 'deep' })
    for (let depth = 2; depth < DUMP_DEPTH_MAX; depth += 1) inner = at(0, { children: [inner] })
    const dump = screen([inner])
    const { ui } = made({ main: dump })
    expect(snapshotXml(ui.tree())).toBe(snapshotXml({ rotation: 0, roots: [dump.root] }))
  })

  test('says what the language cannot say', () => {
    const { notes } = made({ main: screen([at(0, { className: 'Odd', text: 'a'.repeat(100_001) })]) })
    expect(notes).toContain('main: the class "Odd" is replaced by android.view.View')
    expect(notes).toContain('main: a text of 100001 characters is cut at 100000')
  })

  test('a class that is too long for the language is replaced', () => {
    const className = `android.widget.${'X'.repeat(300)}`
    const { notes } = made({ main: screen([at(0, { className })]) })
    expect(notes).toContain(`main: the class "${className.slice(0, 50)}" is replaced by android.view.View`)
  })

  test('lists can be made longer by hand, and scroll with all that is in them', () => {
    const row = (text: string, top: number) => at(top, { children: [at(top + 10, { text })] })
    const list = at(0, {
      scrollable: true,
      bounds: { ...SCREEN, top: 100, bottom: 500 },
      children: [row('one', 100), row('two', 300)],
    })
    const { scenario } = made({ main: screen([list]) })
    const written = JSON.parse(JSON.stringify(scenario))
    const rows = written.apps[0].screens.main.nodes[0].nodes[0].nodes
    rows.push({ bounds: [0, 500, 720, 600], nodes: [{ text: 'three', bounds: [0, 510, 720, 590] }] })
    const ui = uiOf(written)
    expect(textsOf(ui.tree())).toEqual(['one', 'two'])
    ui.swipe({ x: 300, y: 400 }, { x: 300, y: 150 }, 100)
    expect(textsOf(ui.tree())).toEqual(['two', 'three'])
  })
})
