/** A scroll ends when its target is far enough in sight, coming from the edge that it scrolls to. */
import { describe, expect, test } from 'vitest'
import { walk } from '../../../src/contracts/device/ui-tree.ts'
import type { StepContext } from '../../../src/device/screen/context.ts'
import { sightOf, visiblePercent } from '../../../src/device/screen/visible-share.ts'
import { node } from '../../support/device/fake-ui-driver.ts'

type Box = readonly [number, number, number, number]

/** A target in a list, in a window of 2,000 by 1,000. */
const targetAt = (at: Box, list: Box = [0, 0, 2_000, 1_000], scrollable = true) => {
  const target = node({ at })
  const root = node({ at: [0, 0, 2_000, 1_000], children: [node({ at: list, scrollable, children: [target] })] })
  const found = [...walk([root])].find(each => each.node === target)
  if (!found) throw new Error('there is no target')
  return found
}

test.each<[number, Box, Box?]>([
  [100, [0, 0, 100, 100]],
  [50, [0, 950, 100, 1_050]],
  [25, [1_950, 950, 2_050, 1_050]],
  [40, [0, 460, 100, 560], [0, 0, 1_000, 500]],
  [0, [0, 600, 100, 700], [0, 0, 1_000, 500]],
  [0, [0, 0, 0, 100]],
])('%i percent of a target at %j are in sight', (percent, at, list) => {
  expect(visiblePercent(targetAt(at, list))).toBe(percent)
})

test('what does not scroll hides nothing of what is in it', () => {
  expect(visiblePercent(targetAt([0, 460, 100, 560], [0, 0, 1_000, 500], false))).toBe(100)
})

const context = { driver: { screenSize: async () => ({ width: 2_000, height: 1_000 }) } } as unknown as StepContext

describe('a target that is to be in the middle', () => {
  const at = (centre: number, isAcross: boolean): Box =>
    isAcross ? [centre - 50, 450, centre + 50, 550] : [450, centre - 50, 550, centre + 50]

  test.each([
    ['down', [690, 300], 710],
    ['up', [310, 700], 290],
    ['right', [1_390, 300], 1_410],
    ['left', [610, 1_700], 590],
  ] as const)('%s is there past the middle or shortly before, and not sooner', async (direction, near, far) => {
    const isAcross = direction === 'left' || direction === 'right'
    const isSeen = (centre: number) =>
      sightOf({ direction, centerTarget: true }, context)(targetAt(at(centre, isAcross)), false)
    expect(await Promise.all(near.map(isSeen))).toEqual([true, true])
    expect(await isSeen(far)).toBe(false)
  })

  test('is not waited for where nothing moves any more, nor for ever', async () => {
    const target = targetAt(at(900, false))
    const rules = { direction: 'down', centerTarget: true } as const
    expect(await sightOf(rules, context)(target, true)).toBe(true)
    const sight = sightOf(rules, context)
    const looks: boolean[] = []
    for (let count = 0; count < 6; count++) looks.push(await sight(target, false))
    expect(looks).toEqual([false, false, false, false, false, true])
  })
})

test('a part that is in sight is enough where the caller says so', async () => {
  const half = targetAt([0, 950, 100, 1_050])
  const seen = (minVisiblePercent?: number) => sightOf({ direction: 'down', minVisiblePercent }, context)(half, false)
  expect(await Promise.all([seen(), seen(50), seen(51)])).toEqual([true, true, false])
})
