/** The keyboard helper of a simulated phone, through its shell. */
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { phoneLink } from '../../support/adb/phone-link.ts'
import { keyboardApk } from '../../support/device/helper-apks.ts'
import { phoneOf } from '../../support/simulator/simulated-phone.ts'

const PACKAGE = 'com.callstack.agentdevice.imehelper'
const KEYBOARD = `${PACKAGE}/.TestInputMethodService`
const USUAL = 'com.android.inputmethod.latin/.LatinIME'
const TEXT = 'héllo 😀 \n「世界」'

const setup = () => {
  const phone = phoneOf({ apks: [keyboardApk()], faults: [{ after: 1, do: 'keyboard-deaf', times: 1 }] })
  const link = phoneLink(phone, systemClock())
  const run = async (line: string) => (await link.shell(line, { deadline: Number.MAX_SAFE_INTEGER })).stdout
  const field = () =>
    /"text":"([^"]*)","resourceId":"com.android.settings:id\/search"/.exec(JSON.stringify(phone.tree()))
  return { phone, run, text: () => JSON.parse(`"${field()?.[1] ?? ''}"`) }
}

const broadcast = (text: string, protocol = 'android-ime-helper-v1') =>
  `am broadcast -p ${PACKAGE} -a ${PACKAGE}.ACTION_INPUT_TEXT_B64 --es protocol ${protocol} --es text ${Buffer.from(text).toString('base64')}`

test('types any text into the focused field once it is the keyboard, and never says whether', async () => {
  const { phone, run, text } = setup()
  phone.startActivity({ action: 'android.intent.action.MAIN', packageName: 'com.android.settings', extras: {} })
  const hint = text()
  const [, left, top] = /search".*?"bounds":\{"left":(\d+),"top":(\d+)/.exec(JSON.stringify(phone.tree())) ?? []
  phone.tap({ x: Number(left) + 5, y: Number(top) + 5 })
  expect(await run(broadcast(TEXT))).toContain('Broadcast completed: result=0')
  expect(text()).toBe(hint)
  expect(await run(`ime set ${KEYBOARD}`)).not.toContain('selected')
  expect(await run(`ime enable ${KEYBOARD}`)).toContain('now enabled')
  expect(await run(`ime set ${KEYBOARD}`)).toContain('selected')
  expect(await run('settings get secure default_input_method')).toBe(`${KEYBOARD}\n`)
  expect(await run(broadcast('x', 'other'))).toContain('result=0')
  expect(await run(broadcast(TEXT))).toContain('result=0')
  expect(text()).toBe(TEXT)
  expect(await run(broadcast('lost'))).toContain('result=0')
  expect(text()).toBe(TEXT)
  const to = (action: string, extras: string) =>
    run(`am broadcast -p ${PACKAGE} -a ${PACKAGE}.ACTION_${action} ${extras}`)
  await to('CLEAR_TEXT', '--es protocol other')
  expect(text()).toBe(TEXT)
  await to('CLEAR_TEXT', '--es protocol android-ime-helper-v1')
  expect(text()).toBe(hint)
  await to('INPUT_TEXT_B64', '--es text not/base64!')
  expect(text()).toBe(hint)
  await to('INPUT_TEXT', '--es text plain')
  expect(text()).toBe('plain')
  expect(await run('ime list -s')).toBe(`${USUAL}\n${KEYBOARD}\n`)
  await run(`pm uninstall ${PACKAGE}`)
  expect(await run('settings get secure default_input_method')).toBe(`${USUAL}\n`)
})
