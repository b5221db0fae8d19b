/** Dialogs that a scenario writes without ids are alerts, as those of Android's own builder are. */
import { describe, expect, test } from 'vitest'
import { buttonFor, dialogIn } from '../../../src/device/screen/dialog.ts'
import { phoneOf } from '../../support/simulator/simulated-phone.ts'
import { appOf, scenarioOf } from '../../support/simulator/simulated-ui.ts'

const treeOf = (nodes: object[], dialog: object = {}) => {
  const tree = phoneOf({ scenario: scenarioOf(appOf({ main: { dialog, nodes } as never })) }).tree()
  if (!tree) throw new Error('the screen is off')
  return tree
}
const button = (text: string) => ({ class: 'Button', text })

describe('the answers of a dialog', () => {
  const answers = (nodes: object[], dialog?: object) => {
    const found = dialogIn(treeOf(nodes, dialog))
    return found && ['accept', 'dismiss'].map(answer => buttonFor(found, answer)?.label)
  }

  test.each([
    ['one button', [{ text: 'Sure?' }, button('OK')], ['OK', undefined]],
    ['a column', [{ text: 'Sure?' }, button('Delete'), button('Cancel')], ['Delete', 'Cancel']],
    ['a row', [{ text: 'Sure?' }, { layout: 'row', nodes: [button('Cancel'), button('OK')] }], ['OK', 'Cancel']],
    ['no button', [{ text: 'Pick one' }, { text: 'Red', onTap: { back: true } }], undefined],
    ['an id of its author', [{ text: 'Sure?', resourceId: 'a.b:id/ask' }, button('OK')], undefined],
  ])('with %s', (_, nodes, expected) => {
    expect(answers(nodes)).toEqual(expected)
  })

  test('that was seen somewhere are as they were there', () => {
    expect(answers([{ text: 'Sure?' }, button('OK')], { bounds: [0, 0, 500, 500] })).toBeUndefined()
  })
})

test.each([
  [[{ text: 'Sure?' }, button('OK')], 'Sure?'],
  [[{ text: 'Delete' }, { text: 'It is gone then.' }, button('OK')], 'Delete\nIt is gone then.'],
])('the text of an alert: %j', (nodes, text) => {
  expect(dialogIn(treeOf(nodes))?.text).toBe(text)
})
