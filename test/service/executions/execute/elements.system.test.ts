/** Steps that act on an element which was found on an earlier screen, with every operator. */
import { describe, expect, test } from 'vitest'
import type { ElementIdentity } from '../../../../src/contracts/device/element-identity.ts'
import { type UiNode, walk } from '../../../../src/contracts/device/ui-tree.ts'
import { identifyElement } from '../../../../src/device/screen/elements/element-identity.ts'
import { parseHierarchy } from '../../../../src/device/screen/parse-hierarchy.ts'
import { proofOf } from '../../../../src/service/executions/proven.ts'
import { recordedExecution } from '../../../../src/service/executions/recorded.ts'
import { OPERATORS, operatorLab, type Step } from '../../../support/executions/operator-lab.ts'
import { scenarioOf } from '../../../support/simulator/simulated-ui.ts'

const APP = 'com.example.shop'

const card = (title: string) => ({
  layout: 'row',
  height: 120,
  resourceId: `${APP}:id/card`,
  nodes: [
    { text: title, width: 150 },
    { class: 'Button', text: 'Buy', width: 100, onTap: { goTo: title.toLowerCase() } },
  ],
})

/** Two of these differ in nothing but a name. */
const transfer = (name: string, next: string) => ({
  nodes: [
    { text: 'Transfer', textSize: 24 },
    { text: 'Review' },
    { text: `To ${name}` },
    { class: 'Button', resourceId: `${APP}:id/ok`, text: 'Confirm', onTap: { goTo: 'chair' } },
    { class: 'Button', text: 'Cancel' },
    { class: 'Button', text: 'Skip', onTap: { goTo: next } },
  ],
})

const SCENARIO = scenarioOf({
  front: APP,
  timeScale: 0.05,
  apps: [
    {
      package: APP,
      label: 'Shop',
      screens: {
        main: {
          nodes: [
            { text: 'Shop', textSize: 24, resourceId: `${APP}:id/title` },
            { text: 'All prices with tax' },
            card('Chair'),
            card('Table'),
            { hint: 'Your name', resourceId: `${APP}:id/name` },
            { text: 'Transfers', onTap: { goTo: 'alice' } },
            { text: 'All goods', onTap: { goTo: 'goods' } },
          ],
        },
        alice: transfer('Alice', 'bob'),
        bob: transfer('Bob', 'alice'),
        chair: { nodes: [{ text: 'Chair bought' }] },
        table: { nodes: [{ text: 'Table bought' }] },
        goods: {
          nodes: [
            { text: 'Goods' },
            {
              scrollable: true,
              resourceId: `${APP}:id/list`,
              nodes: Array.from({ length: 40 }, (_, index) => ({
                text: `Good ${index + 1}`,
                height: 100,
                onTap: { goTo: 'chair' },
              })),
            },
          ],
        },
      },
    },
  ],
})

describe.each(OPERATORS)('%s', operatorPackage => {
  const { lab, executed, envelopeOf, dataOf } = operatorLab(operatorPackage, SCENARIO)
  const open: Step = ['open_app', { applicationId: APP, stopFirst: true }]
  const elementsWhere = async (isMeant: (node: UiNode) => boolean, ...before: Step[]): Promise<ElementIdentity[]> => {
    const data = await dataOf(...before, ['snapshot'])
    const parsed = parseHierarchy(data.at(-1)?.text ?? '')
    if (!parsed.ok) throw new Error(parsed.problem)
    const { tree } = parsed
    return [...walk(tree.roots)].filter(({ node }) => isMeant(node)).map(found => identifyElement(tree, found))
  }
  const byText = (text: string) => (node: UiNode) => node.text === text
  const byId = (id: string) => (node: UiNode) => node.resourceId === `${APP}:id/${id}`

  test('a click touches the one of several that look alike, and looks once for it', async () => {
    const [, second] = await elementsWhere(byText('Buy'), open)
    const [click, seen] = await dataOf(
      ['click', { matcher: { element: second } }],
      ['read_text', { matcher: { textContains: 'bought' } }],
    )
    expect(click).toEqual({ click_type: 'default' })
    expect(seen?.text).toBe('Table bought')
  })

  test('a button of another screen with that layout is not touched', async () => {
    const [confirm] = await elementsWhere(byId('ok'), open, ['click', { matcher: { textEquals: 'Transfers' } }])
    await dataOf(['click', { matcher: { textEquals: 'Skip' } }])
    const { error } = await envelopeOf(['click', { matcher: { element: confirm } }])
    expect(error?.code).toBe('REF_STALE')
    const [seen] = await dataOf(['read_text', { matcher: { textContains: 'To ' } }])
    expect(seen?.text).toBe('To Bob')
    await dataOf(['click', { matcher: { textEquals: 'Skip' } }])
    expect((await envelopeOf(['click', { matcher: { element: confirm } }])).error).toBeNull()
  })

  test('a field is typed into again and again, and still means itself', async () => {
    const [field] = await elementsWhere(byId('name'), open)
    const matcher = { element: field }
    const [, , readBack] = await dataOf(
      ['enter_text', { matcher, text: 'Ann' }],
      ['enter_text', { matcher, text: 'Ann Lee' }],
      ['read_text', { matcher }],
    )
    expect(readBack?.text).toBe('Ann Lee')
  })

  test('a list is scrolled, and stays the same list', async () => {
    const [list] = await elementsWhere(byId('list'), open, ['click', { matcher: { textEquals: 'All goods' } }])
    const scroll: Step = ['scroll', { container: { element: list }, direction: 'down' }]
    const [first, second] = await dataOf(scroll, scroll)
    expect([first?.scroll_outcome, second?.scroll_outcome]).toEqual(['moved', 'moved'])
  })

  test('a row that left the screen is stale: nothing is touched, and the receipt says so', async () => {
    const [row] = await elementsWhere(byText('Good 2'), open, ['click', { matcher: { textEquals: 'All goods' } }])
    await dataOf(['scroll', { direction: 'down' }], ['scroll', { direction: 'down' }])
    const { result, executionId } = await executed(['click', { matcher: { element: row } }])
    if (!result.ok) throw new Error(result.error.message)
    const { envelope } = result
    expect(envelope.error?.code).toBe('REF_STALE')
    expect(envelope.stepResults[0]?.data).toMatchObject({ error: 'REF_STALE', reason: expect.stringMatching(/gone/) })
    const journal = lab().services.journal()
    const receipt = journal.receipt(executionId ?? '')
    const recorded = receipt && recordedExecution(journal, receipt)
    expect(recorded && proofOf(receipt, recorded)).toEqual({ proven: 0, doubtful: [] })
    const [seen] = await dataOf(['read_text', { matcher: { textEquals: 'Goods' } }])
    expect(seen?.text).toBe('Goods')
  })

  test('a stale element ends every step that would act on it', async () => {
    const [buy] = await elementsWhere(byText('Buy'), open)
    await dataOf(['click', { matcher: { textEquals: 'All goods' } }])
    const matcher = { element: buy }
    for (const step of [
      ['enter_text', { matcher, text: 'x', append: true }],
      ['read_text', { matcher }],
      ['scroll', { container: matcher, direction: 'down' }],
      ['drag', { from: { matcher }, to: { coordinate: { x: 10, y: 10 } } }],
      ...(operatorPackage === 'svc.uiautomator' ? [['double_tap', { matcher }] as const] : []),
    ] as Step[]) {
      const envelope = await envelopeOf(step)
      expect(envelope.stepResults[0]?.data.error, step[0]).toBe('REF_STALE')
    }
  })
})
