import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { commandLine } from '../../../../src/runtime/text/quote.ts'
import { textToType } from '../../../../src/simulator/shell/commands/input.ts'
import { runIn, shellOf } from '../../../support/device/shell-run.ts'
import { stubPhone } from '../../../support/device/stub-phone.ts'
import { manualClock } from '../../../support/manual-clock.ts'

const inputOf = async (...words: string[]) => {
  const clock = manualClock()
  const phone = stubPhone(systemClock())
  const running = runIn(shellOf(phone, clock), commandLine('input', ...words))
  await new Promise(resolve => setImmediate(resolve))
  clock.advance(60_000)
  const { code, err } = await running
  return { code, err, done: phone.done }
}

test.each([
  ['29', 0, /^java\.lang\.NullPointerException: .*\n\tat com\.android\.commands\.input\.Input\.sendText/],
  ['30', 255, /^\nException occurred while executing 'text':\njava\.lang\.NullPointerException/],
])('a text that no key is for, by API level %s', async (sdk, code, err) => {
  const phone = stubPhone(systemClock(), { 'ro.build.version.sdk': sdk })
  const ended = await runIn(shellOf(phone, systemClock()), 'input text é')
  expect(ended).toMatchObject({ code, err: expect.stringMatching(err) })
  expect(phone.done).toEqual([])
})

describe('gestures', () => {
  test.each([
    [['tap', '10', '20'], ['tap 10,20']],
    [['touchscreen', 'tap', '10.5', '20'], ['tap 10.5,20']],
    [['-d', '0', 'tap', '1', '2'], ['tap 1,2']],
    [['swipe', '1', '2', '300', '400'], ['swipe 1,2 300,400 300']],
    [['swipe', '1', '2', '300', '400', '50'], ['swipe 1,2 300,400 50']],
    [['swipe', '5', '5', '5', '5', '1800'], ['long-press 5,5']],
    [['swipe', '5', '5', '6', '6', '100'], ['tap 5,5']],
    [['draganddrop', '1', '2', '300', '400'], ['swipe 1,2 300,400 1000']],
  ])('%j', async (words, done) => expect(await inputOf(...words)).toMatchObject({ code: 0, done }))

  test('a swipe takes the time that it says, and no more once its caller has gone', async () => {
    const clock = manualClock()
    const shell = shellOf(stubPhone(systemClock()), clock)
    let ended = false
    const running = runIn(shell, 'input swipe 0 0 500 500 700').then(() => {
      ended = true
    })
    await new Promise(resolve => setImmediate(resolve))
    clock.advance(699)
    await new Promise(resolve => setImmediate(resolve))
    expect(ended).toBe(false)
    clock.advance(1)
    await running
  })

  test.each([[['tap', 'x', '1']], [['tap', '1']], [['swipe', '1', '2', '3']], [['fly']], [[]]])(
    '%j is refused',
    async words => {
      const { code, err, done } = await inputOf(...words)
      expect({ code, done }).toEqual({ code: 255, done: [] })
      expect(err).toContain('Error: ')
    },
  )
})

describe('text', () => {
  test.each([
    ['a%sb', 'a b'],
    ['%s', ' '],
    ['100%', '100%'],
    ['%%s', '% '],
    ['%S', '%S'],
    ['%s%ss', '  s'],
    ['it’s', undefined],
  ])('%j types %j', async (given, typed) => {
    const { code, done } = await inputOf('text', given)
    expect({ ok: code === 0, done }).toEqual({
      ok: typed !== undefined,
      done: typed === undefined ? [] : [`type ${typed}`],
    })
  })

  test('a line end is the enter key', async () => {
    expect((await inputOf('text', 'a\nb\n')).done).toEqual(['type a', 'key ENTER', 'type b', 'key ENTER'])
  })

  test('only a %s is ever changed', () => {
    const text = fc.string({ unit: fc.constantFrom('%', 's', 'a', ' ') })
    fc.assert(fc.property(text, value => textToType(value) === value.replaceAll('%s', ' ')))
  })
})

describe('keyevent', () => {
  test('by name, by prefixed name and by number, several in one call', async () => {
    expect((await inputOf('keyevent', '4', 'HOME', 'KEYCODE_ENTER', '67', 'KEYCODE_7', '187')).done).toEqual(
      ['BACK', 'HOME', 'ENTER', 'DEL', '7', 'APP_SWITCH'].map(name => `key ${name}`),
    )
    expect((await inputOf('keyevent', '--longpress', '26')).done).toEqual(['key POWER'])
  })

  test('one bad code presses none', async () => {
    const { code, err, done } = await inputOf('keyevent', 'BACK', 'NOPE')
    expect({ code, done }).toEqual({ code: 255, done: [] })
    expect(err).toContain('Unknown keycode: NOPE')
  })

  test('a phone that leaves the power keys to the shell is woken all the same', async () => {
    const phone = stubPhone(systemClock())
    phone.awake = false
    await runIn(shellOf(phone), 'input keyevent KEYCODE_WAKEUP')
    expect(phone.awake).toBe(true)
  })
})
