/** The checks of effects: an app that only says what it did is seen, and a phone on which nothing shows accuses no app. */
import { describe, expect, test } from 'vitest'
import type { CheckBench } from '../../../../src/device/operators/check/bench.ts'
import { Breach, LeftOut } from '../../../../src/device/operators/check/breach.ts'
import { checkRequest } from '../../../../src/device/operators/check/check-request.ts'
import { runVector } from '../../../../src/device/operators/check/vector.ts'
import { EFFECT_VECTORS } from '../../../../src/device/operators/check/vectors/effects.ts'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { systemIds } from '../../../../src/runtime/ids.ts'
import { scaledClock } from '../../../../src/simulator/scaled-clock.ts'

const SETTINGS = 'com.android.settings'
const HOME = 'com.android.launcher'
const ROWS = ['Network', 'Apps', 'Battery', 'Display', 'Sound', 'Storage']

interface Phone {
  front: 'home' | 'settings' | 'row'
  offset: number
}

const textNode = (text: string, top: number, row: boolean) =>
  `<node text="${text}" class="android.widget.TextView" clickable="${row}" enabled="true" bounds="[0,${top}][1000,${top + 90}]"/>`

const hierarchyOf = ({ front, offset }: Phone) => {
  const rows = front === 'home' ? ['Phone', 'Camera'] : front === 'row' ? ['Wi-Fi', 'SIMs', 'VPN'] : ROWS
  const nodes = rows.map((text, at) => textNode(text, 100 + at * 100 - offset, front === 'settings'))
  const list = `<node text="" class="android.widget.ListView" scrollable="${front !== 'home'}" enabled="true" bounds="[0,0][1000,2000]">${nodes.join('')}</node>`
  return `<hierarchy rotation="0">${list}</hierarchy>`
}

type Params = Readonly<Record<string, unknown>>

/** What each action does to the phone. */
const EFFECTS: Readonly<Record<string, (phone: Phone, params: Params) => void>> = {
  press_key(phone, { key }) {
    phone.front = key === 'back' && phone.front === 'row' ? 'settings' : 'home'
  },
  open_app(phone) {
    Object.assign(phone, { front: 'settings', offset: 0 })
  },
  click(phone) {
    phone.front = 'row'
  },
  swipe(phone) {
    phone.offset += 50
  },
  scroll(phone) {
    phone.offset += 80
  },
}

const dataOf = (type: string, params: Params, phone: Phone, outcome: string): Record<string, string> => {
  const foreground = phone.front === 'home' ? HOME : SETTINGS
  const answers: Record<string, Record<string, string>> = {
    press_key: { key: String(params.key) },
    open_app: { application_id: String(params.applicationId) },
    wait_for_navigation: { resolved_package: String(params.expectedPackage), elapsed_ms: '1' },
    click: { click_type: 'default' },
    swipe: { duration_ms: String(params.durationMs) },
    scroll: { scroll_outcome: outcome, direction: 'down' },
    sleep: { duration_ms: '0' },
    snapshot: { text: hierarchyOf(phone), foreground_package: foreground },
  }
  return answers[type] ?? {}
}

interface App {
  /** Action types that it answers with a success, and does not perform. */
  idle?: readonly string[]
  /** It performs a request again that comes again. */
  repeats?: boolean
  scrollOutcome?: string
  /** Nothing on this phone moves, whoever acts. */
  stuck?: boolean
}

const benchOf = ({ idle = [], repeats = false, scrollOutcome = 'moved', stuck = false }: App): CheckBench => {
  const phone: Phone = { front: 'home', offset: 0 }
  const ids = systemIds()
  const taken = new Set<string>()
  const act = (type: string, params: Params) => stuck || EFFECTS[type]?.(phone, params)
  const byHost = (line: string) => {
    if (line.startsWith('am start')) EFFECTS.open_app?.(phone, {})
    if (line.includes('KEYCODE_HOME')) act('press_key', { key: 'home' })
    if (line.includes('KEYCODE_BACK')) act('press_key', { key: 'back' })
    if (line.startsWith('input swipe')) act('swipe', {})
    return line.includes('resolve-activity') ? `${SETTINGS}/.Settings\n` : ''
  }
  const perform = ({ commandId, taskId, nonce, actions }: ReturnType<typeof checkRequest>) => {
    const isNew = !taken.has(commandId) || repeats
    taken.add(commandId)
    const stepResults = actions.map(({ id, type, params }) => {
      if (isNew && !idle.includes(type)) act(type, params as Params)
      return { id, actionType: type, success: true, data: dataOf(type, params as Params, phone, scrollOutcome) }
    })
    return { commandId, taskId, nonce, status: 'success' as const, stepResults, error: null }
  }
  const answers = new Map<string, ReturnType<typeof perform>>()
  const bench: Partial<CheckBench> = {
    clock: scaledClock(systemClock(), 0.001),
    signal: new AbortController().signal,
    request: (actions, options) => checkRequest(ids, actions, options),
    shell: async line => ({ exitCode: 0, stdout: byHost(line), stderr: '' }),
    async send(request) {
      answers.set(request.commandId, perform(request))
      return { expected: request, timeoutMs: request.timeoutMs, at: 0 }
    },
    async answerTo({ expected }) {
      const envelope = answers.get(expected.commandId)
      if (!envelope) throw new Error('it was never sent')
      return { envelope, text: '', chunks: 0, tookMs: 0 }
    },
    ask: async (actions, options) => whole.answerTo(await whole.send(whole.request(actions, options))),
  }
  const whole = bench as CheckBench
  return whole
}

const outcomeOf = async (id: string, app: App): Promise<string> => {
  const vector = EFFECT_VECTORS.find(one => one.id === id)
  if (!vector) throw new Error(`there is no vector ${id}`)
  try {
    return `held: ${await runVector(vector, benchOf(app))}`
  } catch (error) {
    if (error instanceof Breach) return `breach: ${error.message}`
    if (error instanceof LeftOut) return `left out: ${error.message}`
    throw error
  }
}

const IDS = ['press-key-home', 'open-app', 'click', 'repeated-request-runs-once', 'swipe', 'scroll']

test.each(IDS)('%s holds for an app that does what it says', async id => {
  expect(await outcomeOf(id, {})).toMatch(/^held: /)
})

describe('an app that answers success and does nothing', () => {
  test.each([
    ['press-key-home', 'press_key', /^breach: Home is said to be pressed.*`input keyevent KEYCODE_HOME` changed it/],
    ['open-app', 'open_app', /^breach: com\.android\.settings is said to be in front/],
    ['click', 'click', /^breach: The click is said to be a success/],
    ['repeated-request-runs-once', 'press_key', /^breach: Back is said to be pressed/],
    ['swipe', 'swipe', /^breach: The swipe is said to be a success.*`input swipe 500 1000 500 800 300` changed it/],
    ['scroll', 'scroll', /^breach: scroll_outcome is moved/],
  ])('breaks %s', async (id, type, breach) => {
    expect(await outcomeOf(id, { idle: [type] })).toMatch(breach)
  })

  test('breaks scroll also when it says that the edge is reached, and the list moves', async () => {
    const app = { idle: ['scroll'], scrollOutcome: 'edge_reached' }
    expect(await outcomeOf('scroll', app)).toMatch(/^breach: scroll_outcome is edge_reached/)
  })
})

test('an app that performs a request twice is seen', async () => {
  expect(await outcomeOf('repeated-request-runs-once', { repeats: true })).toMatch(/^breach: It was performed twice/)
})

test.each(['press-key-home', 'open-app', 'swipe', 'scroll'])('%s is left out where nothing shows', async id => {
  expect(await outcomeOf(id, { stuck: true })).toMatch(/^left out: /)
})
