/**
 * The `mobile:` methods about the device itself: facts, clock, lock, its clipboard, whose content travels as base64,
 * and its shell.
 */

import { isUtf8 } from 'node:buffer'
import { mobileMethod } from '../commands/command.ts'
import {
  base64Of,
  bytesOf,
  flag,
  invalid,
  notNegative,
  number,
  oneOf,
  oneOrMore,
  optional,
  someText,
  text,
} from '../protocol/arguments.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import { deviceOf, type LiveSession, type SessionStep } from '../session/live-session.ts'

// The time of a device in a format of its parts, as moment.js names them.

const DEFAULT_CLOCK_FORMAT = 'YYYY-MM-DDTHH:mm:ssZ'

const TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)([+-]\d\d)(\d\d)$/
const PARTS = ['YYYY', 'MM', 'DD', 'HH', 'mm', 'ss', 'ZZ', 'Z'] as const
const PART = /\[([^\]]*)\]|YYYY|MM|DD|HH|mm|ss|ZZ|Z|T|[A-Za-z]+/g

/** `time` as the device says it: 2026-01-31T12:00:00+0100. Throws `invalid argument` for another part. */
const clockText = (time: string, format: string): string => {
  const [, YYYY, MM, DD, HH, mm, ss, hours, minutes] = TIME.exec(time) ?? []
  const values: Readonly<Record<string, string | undefined>> = {
    ...{ YYYY, MM, DD, HH, mm, ss, T: 'T' },
    ...{ Z: `${hours}:${minutes}`, ZZ: `${hours}${minutes}` },
  }
  return format.replace(PART, (part, literal: string | undefined) => {
    const value = literal ?? values[part]
    if (value !== undefined) return value
    throw invalid(`The format of mobile: getDeviceTime has ${part}. It knows ${PARTS.join(', ')}, and text in [ ].`)
  })
}

const contentType = optional(oneOf(['plaintext'] as const))

export const setClipboard = mobileMethod({
  name: 'setClipboard',
  summary: 'Puts a text, as base64, on the clipboard. label is accepted.',
  args: { content: text, contentType, label: optional(text) },
  async run(session, { content }) {
    const copied = bytesOf(content, 'content')
    if (!isUtf8(copied)) throw invalid('The argument content must be base64 of a text in UTF-8.')
    await session.act([{ type: 'set_clipboard', params: { text: copied.toString('utf8') } }])
    return null
  },
})

export const getClipboard = mobileMethod({
  name: 'getClipboard',
  summary: 'The text on the clipboard, as base64.',
  args: { contentType },
  async run(session) {
    const [step] = await session.act([{ type: 'get_clipboard' }])
    return base64Of(Buffer.from(step?.data.text ?? '', 'utf8'))
  },
})

export const CLIPBOARD_METHODS = [setClipboard, getClipboard]

const unknown = (what: string) => new WebDriverError('unknown error', `The device does not say ${what}.`)

export const deviceInfo = mobileMethod({
  name: 'deviceInfo',
  summary: 'Manufacturer, model, versions and display. What svc does not know of Appium’s answer is left out.',
  args: {},
  async run(session) {
    const { manufacturer, model, apiLevel, androidVersion, display } = await deviceOf(session)
    return {
      ...(manufacturer === undefined ? {} : { manufacturer }),
      ...(model === undefined ? {} : { model }),
      ...(apiLevel === undefined ? {} : { apiVersion: String(apiLevel) }),
      ...(androidVersion === undefined ? {} : { platformVersion: androidVersion }),
      ...(display === undefined ? {} : { realDisplaySize: `${display.width}x${display.height}` }),
      ...(display?.density === undefined ? {} : { displayDensity: display.density }),
    }
  },
})

/** As BatteryManager numbers them. */
const BATTERY_STATES: Readonly<Record<string, number>> = {
  unknown: 1,
  charging: 2,
  discharging: 3,
  'not charging': 4,
  full: 5,
}
const PERCENT = 100

export const batteryInfo = mobileMethod({
  name: 'batteryInfo',
  summary:
    'The level of the battery, 0 to 1, and its state: 1 unknown, 2 charging, 3 discharging, 4 not charging, 5 full.',
  args: {},
  async run(session) {
    const { battery } = await deviceOf(session)
    if (!battery) throw unknown('how full its battery is')
    return { level: battery.percent / PERCENT, state: BATTERY_STATES[battery.status ?? 'unknown'] ?? 1 }
  },
})

export const getDisplayDensity = mobileMethod({
  name: 'getDisplayDensity',
  summary: 'The density of the display in dots an inch.',
  args: {},
  async run(session) {
    const { display } = await deviceOf(session)
    if (display?.density === undefined) throw unknown('how dense its display is')
    return display.density
  },
})

export const getDeviceTime = mobileMethod({
  name: 'getDeviceTime',
  summary: `The clock of the device, as ${DEFAULT_CLOCK_FORMAT} or in a format of these parts.`,
  args: { format: optional(someText) },
  async run(session, { format = DEFAULT_CLOCK_FORMAT }) {
    const { time } = await deviceOf(session)
    if (time === undefined) throw unknown('what time it is')
    return clockText(time, format)
  },
})

const press = (key: string): SessionStep => ({ type: 'press_key', params: { key } })

const MS = 1_000
/** One execution lasts no longer than two minutes. */
const LOCKED_SECONDS_MAX = 100
const AROUND_MS = 15_000

export const lock = mobileMethod({
  name: 'lock',
  summary: `Switches the screen off; with seconds (at most ${LOCKED_SECONDS_MAX}) it is switched on again after so long.`,
  args: { seconds: optional(notNegative) },
  async run(session, { seconds = 0 }) {
    if (seconds > LOCKED_SECONDS_MAX)
      throw invalid(`The argument seconds of mobile: lock must be at most ${LOCKED_SECONDS_MAX}, but is ${seconds}.`)
    if (seconds === 0) {
      await session.act([press('sleep')])
      return null
    }
    const durationMs = Math.round(seconds * MS)
    const steps = [press('sleep'), { type: 'sleep', params: { durationMs } }, press('wakeup')]
    await session.act(steps, { timeoutMs: durationMs + AROUND_MS })
    return null
  },
})

export const isLocked = mobileMethod({
  name: 'isLocked',
  summary: 'True while the screen is off or the lock screen shows.',
  args: {},
  async run(session) {
    const { awake, locked } = await deviceOf(session)
    if (awake === undefined && locked === undefined) throw unknown('whether it is locked')
    return awake === false || locked === true
  },
})

export const unlock = mobileMethod({
  name: 'unlock',
  summary: 'Switches the screen on and dismisses a lock screen without a PIN. A PIN must be entered by hand.',
  args: {
    key: optional(text),
    type: optional(text),
    strategy: optional(text),
    timeoutMs: optional(number),
  },
  async run(session) {
    // Every execution wakes the screen and dismisses the keyguard before its first step, or is refused; one of screen keys alone does not.
    await session.act([{ type: 'sleep', params: { durationMs: 0 } }])
    return null
  },
})

const SHELL_MS = { min: 1_000, max: 120_000, default: 20_000 } as const

const runLine = async (session: LiveSession, command: string, timeoutMs: number) => {
  const [step] = await session.act([{ type: 'shell', params: { command } }], { timeoutMs })
  const { stdout = '', stderr = '', exit_code: exitCode = '0' } = step?.data ?? {}
  if (exitCode === '0') return { stdout, stderr }
  throw new WebDriverError('unknown error', `The command ended with exit code ${exitCode}. ${stderr.trim()}`.trim(), {
    exitCode: Number(exitCode),
    stdout,
    stderr,
  })
}

export const shell = mobileMethod({
  name: 'shell',
  summary:
    'Runs a command line on the device, where a rule of the policy allows it. args follow it as they are written.',
  args: {
    command: someText,
    args: optional(oneOrMore),
    includeStderr: optional(flag),
    timeout: optional(number),
  },
  async run(session, { command, args = [], includeStderr = false, timeout = SHELL_MS.default }) {
    if (timeout < SHELL_MS.min || timeout > SHELL_MS.max)
      throw invalid(`The argument timeout of mobile: shell must be ${SHELL_MS.min} to ${SHELL_MS.max} ms.`)
    const { stdout, stderr } = await runLine(session, [command, ...args].join(' '), Math.round(timeout))
    return includeStderr ? { stdout, stderr } : stdout
  },
})

export const DEVICE_METHODS = [deviceInfo, batteryInfo, getDisplayDensity, getDeviceTime, lock, isLocked, unlock, shell]
