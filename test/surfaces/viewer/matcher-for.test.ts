/** The matcher that the page offers for a node, and the flags that say the same to the CLI. */
import { describe, expect, test } from 'vitest'
import { walk } from '../../../src/contracts/device/ui-tree.ts'
import { matching } from '../../../src/device/screen/match.ts'
import { parseHierarchy } from '../../../src/device/screen/parse-hierarchy.ts'
import { flagsOf, matcherFor } from '../../../src/surfaces/viewer/devices/matcher-for.ts'

const node = (attributes: string, at: number) =>
  `<node class="android.widget.TextView" bounds="[0,${at}][100,${at + 50}]" ${attributes} />`

const treeOf = (...nodes: string[]) => {
  const parsed = parseHierarchy(`<hierarchy rotation="0">${nodes.join('')}</hierarchy>`)
  if (!parsed.ok) throw new Error(parsed.problem)
  return parsed.tree
}

describe('the matcher of a node', () => {
  const tree = treeOf(
    node('resource-id="a:id/title" text="Battery"', 0),
    node('resource-id="a:id/title" text="Display"', 50),
    node('resource-id="a:id/other" text="Display"', 100),
    node('text="Same"', 150),
    node('text="Same"', 200),
    node('', 250),
  )
  const at = (index: number) => {
    const found = tree.roots[index]
    if (!found) throw new Error(`there is no node ${index}`)
    return found
  }

  test.each([
    [0, { textEquals: 'Battery' }],
    [1, { resourceId: 'a:id/title', textEquals: 'Display' }],
    [2, { resourceId: 'a:id/other' }],
  ])('of node %i says as little as selects it alone', (index, matcher) => {
    expect(matcherFor(tree, at(index))).toEqual({ kind: 'exact', matcher })
    const matches = matching(matcher)
    expect([...walk(tree.roots)].filter(found => matches(found.node)).map(found => found.node)).toEqual([at(index)])
  })

  test('of a node that is like another one says how many it selects', () => {
    expect(matcherFor(tree, at(3))).toEqual({ kind: 'shared', matcher: { textEquals: 'Same' }, count: 2 })
  })
})

test.each([
  [{ textEquals: "It's", role: 'button' }, "--text 'It'\\''s' --role button"],
  [{ textEquals: '-5 °C' }, "--text='-5 °C'"],
  [{ resourceId: 'a.b:id/c', contentDescEquals: 'x y' }, "--id a.b:id/c --desc 'x y'"],
])('flags of %j', (matcher, flags) => expect(flagsOf(matcher)).toBe(flags))
