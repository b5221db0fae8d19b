/** The clipboard of a simulated phone, by its shell and by the key that pastes. */
import { expect, test } from 'vitest'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { createPhone } from '../../../../src/simulator/device.ts'
import { runIn, shellOf } from '../../../support/device/shell-run.ts'
import { appOf, nodesOf, scenarioOf } from '../../../support/simulator/simulated-ui.ts'

const FIELD = { class: 'EditText', resourceId: 'com.example:id/field', text: 'ab', focused: true }

const started = (device: object = {}) => {
  const scenario = scenarioOf({ ...appOf({ main: { nodes: [FIELD] } }), device })
  const phone = createPhone({ name: 'sim', serialno: 'S', clock: systemClock(), scenario })
  phone.startActivity({ packageName: 'com.example', extras: {} })
  const shell = shellOf(phone)
  return { phone, run: (line: string) => runIn(shell, line) }
}

test('what is set is read, and pasted into the field that has the focus', async () => {
  const { phone, run } = started()
  expect(await run("cmd clipboard set 'two words'")).toMatchObject({ code: 0, out: '', err: '' })
  expect(await run('cmd clipboard get')).toMatchObject({ code: 0, out: 'two words\n' })
  await run('input keyevent KEYCODE_PASTE')
  const texts = nodesOf(phone.tree() ?? { roots: [] }).map(({ text }) => text)
  expect(texts).toContain('abtwo words')
})

test('it is empty at first, and a key pastes nothing then', async () => {
  const { run, phone } = started()
  expect((await run('cmd clipboard get')).out).toBe('\n')
  await run('input keyevent 279')
  expect(nodesOf(phone.tree() ?? { roots: [] }).map(({ text }) => text)).toContain('ab')
})

test.each([
  ['cmd clipboard put x', 'Unknown command: put\n'],
  ['cmd clipboard set', 'Error: Argument expected after "set"\n'],
])('%s is misuse', async (line, out) => {
  expect(await started().run(line)).toMatchObject({ code: 255, out })
})

test('a phone without the command says what Android says', async () => {
  const { run } = started({ clipboard: false })
  expect(await run('cmd clipboard get')).toMatchObject({ code: 255, err: 'No shell command implementation.\n' })
})
