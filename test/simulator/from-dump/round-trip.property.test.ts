/** A screen made of a dump is the screen of the dump: every attribute that the language knows, in every tree. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { UiNode, UiTree } from '../../../src/contracts/device/ui-tree.ts'
import { snapshotXml } from '../../../src/device/screen/snapshot-xml.ts'
import { scenarioFromDumps } from '../../../src/simulator/from-dump/from-dump.ts'
import { readDump } from '../../../src/simulator/from-dump/read-dump.ts'
import { legalTree } from '../../support/device/arbitrary-tree.ts'
import { propertyRuns } from '../../support/property-runs.ts'
import { uiOf } from '../../support/simulator/simulated-ui.ts'

const CLASSES = ['android.widget.TextView', 'android.widget.EditText', 'android.widget.Switch', 'android.view.View']
const OTHERS = ['androidx.recyclerview.widget.RecyclerView', 'com.example.Odd', 'android.widget.Button', '.a', 'x.']
const className = fc.constantFrom(...CLASSES, ...OTHERS)

/** What the language has no word for: a class without a dot. Of a password a device never shows more than bullets or a hint. */
const sayable = (node: UiNode, name: string): UiNode => ({
  ...node,
  className: node.className.includes('.') ? node.className.slice(0, 200) : name,
  children: node.children.map(child => sayable(child, name)),
})

const oneRoot: fc.Arbitrary<UiTree> = fc
  .tuple(legalTree, className)
  .filter(([{ roots }]) => roots.length > 0)
  .map(([{ rotation, roots }, name]) => ({ rotation, roots: roots.slice(0, 1).map(root => sayable(root, name)) }))

const throughScenario = (xml: string): string => {
  const read = readDump(xml, 'com.example')
  if (!read.ok) throw new Error(read.problem)
  const made = scenarioFromDumps([{ name: 'main', dump: read.dump }], 'com.example')
  if (!made.ok) throw new Error(made.problem)
  return snapshotXml(uiOf(JSON.parse(JSON.stringify(made.scenario))).tree())
}

test('the simulated screen gives the dump that it was made of', () => {
  fc.assert(
    fc.property(oneRoot, tree => {
      const xml = snapshotXml(tree)
      expect(throughScenario(xml)).toBe(xml)
    }),
    { numRuns: propertyRuns(300) },
  )
})
