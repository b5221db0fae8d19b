/** A session whose phone is the test's: the steps of each execution are checked as executions are, and kept. */
import { expect } from 'vitest'
import { walk } from '../../../src/contracts/device/ui-tree.ts'
import type { StepResult } from '../../../src/contracts/executions/execution-result.ts'
import type { ErrorObject } from '../../../src/contracts/failures/error.ts'
import { identifyElement } from '../../../src/device/screen/elements/element-identity.ts'
import { parseHierarchy } from '../../../src/device/screen/parse-hierarchy.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { validateExecution } from '../../../src/service/executions/validate.ts'
import { createReadScreens } from '../../../src/service/read-screens.ts'
import type { Service } from '../../../src/service/service.ts'
import { createElementMemories } from '../../../src/surfaces/webdriver/elements/element-memory.ts'
import { webDriverErrorOf } from '../../../src/surfaces/webdriver/protocol/failure-error.ts'
import { WebDriverError } from '../../../src/surfaces/webdriver/protocol/webdriver-error.ts'
import type { LiveSession, PerformOptions, SessionStep } from '../../../src/surfaces/webdriver/session/live-session.ts'
import { manualClock } from '../manual-clock.ts'

type Answers = { [Id in keyof Service]?: (input: Parameters<Service[Id]>[0]) => unknown }

export interface WebDriverBench {
  readonly session: LiveSession
  /** Each execution: the types of its steps with their params. */
  readonly performed: (readonly (readonly [type: string, params?: unknown])[])[]
  readonly options: (PerformOptions | undefined)[]
}

export interface BenchOptions {
  /** The answers of the service by request: a value, or a failure as `{error}`. */
  readonly answers?: Answers
  /** The screens that are looked at, one after the other; the last one stays. */
  readonly screens?: readonly string[]
  /** The data of a step, or the failure of the execution. */
  readonly step?: (step: SessionStep) => Record<string, string> | { error: ErrorObject }
  readonly capabilities?: Readonly<Record<string, unknown>>
}

export const SCREEN = `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
<hierarchy rotation="0">
  <node index="0" text="" resource-id="" class="android.widget.FrameLayout" package="a.b" content-desc="" checkable="false" checked="false" clickable="false" enabled="true" focusable="false" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[0,0][1000,2000]">
    <node index="0" text="Save" resource-id="a.b:id/save" class="android.widget.Button" package="a.b" content-desc="" checkable="false" checked="false" clickable="true" enabled="true" focusable="true" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[100,200][300,400]" />
  </node>
</hierarchy>
`

const identityOfButton = () => {
  const parsed = parseHierarchy(SCREEN)
  if (!parsed.ok) throw new Error(parsed.problem)
  const button = [...walk(parsed.tree.roots)].find(({ node }) => node.text === 'Save')
  if (!button) throw new Error('the screen has no button')
  return identifyElement(parsed.tree, button)
}

/** Its element `e1` is the button Save. */
export const ELEMENT = identityOfButton()

/** A phone whose screen is larger than SCREEN. */
const USUAL: Answers = {
  'devices.get': () => ({ device: { display: { width: 1_080, height: 2_400 }, orientation: 'portrait' } }),
}

const isFailure = (data: object): data is { error: ErrorObject } => 'error' in data && typeof data.error === 'object'

export const webDriverBench = ({ answers = {}, screens = [SCREEN], step = () => ({}), ...more }: BenchOptions = {}) => {
  const performed: WebDriverBench['performed'] = []
  const options: WebDriverBench['options'] = []
  let looks = 0
  const service = new Proxy({} as Service, {
    get: (_, id: keyof Service) => async (input: never) => {
      const answer = { ...USUAL, ...answers }[id]
      if (!answer) throw new Error(`the test answers no ${id}`)
      const value = (answer as (given: never) => object)(input)
      return isFailure(value) ? { ok: false, error: value.error } : { ok: true, value: { ok: true, ...value } }
    },
  })
  const readScreens = createReadScreens(systemClock())
  const session: LiveSession = {
    sessionId: 's1',
    deviceId: 'd1',
    capabilities: more.capabilities ?? {},
    timeouts: { script: 0, pageLoad: 0, implicit: 0 },
    settings: new Map(),
    positions: new Map(),
    clock: manualClock(),
    context: 'NATIVE_APP',
    web: undefined,
    webElements: createElementMemories(() => 'w1').webElements,
    screenSize: undefined,
    ended: new AbortController().signal,
    screens: readScreens,
    service,
    call: () => ({ context: { caller: 'webdriver' } }),
    startRecording: how => service['recording.start']({ deviceId: 'd1', ...how }, { context: { caller: 'webdriver' } }),
    async perform(steps, how) {
      performed.push(steps.map(({ type, params }) => (params === undefined ? [type] : [type, params])))
      options.push(how)
      const actions = steps.map((each, at) => ({ id: `s${at}`, ...each }))
      const payload = {
        commandId: 'c',
        taskId: 't',
        source: 'test',
        expectedFormat: 'android-ui-automator',
        timeoutMs: how?.timeoutMs ?? 30_000,
        actions,
      }
      expect(validateExecution(payload)).toMatchObject({ ok: true })
      const results: StepResult[] = []
      for (const [at, each] of steps.entries()) {
        const data = step(each)
        if (isFailure(data)) return { ok: false, error: data.error, steps: results, executionId: 'x1' }
        results.push({ id: `s${at}`, actionType: each.type, success: true, data })
      }
      return { ok: true, steps: results, executionId: 'x1' }
    },
    async act(steps, how) {
      const done = await session.perform(steps, how)
      if (done.ok) return done.steps
      throw webDriverErrorOf(done.error, done.executionId)
    },
    async look() {
      const xml = screens[Math.min(looks++, screens.length - 1)] ?? ''
      const read = await readScreens.reader().read(xml, 'a.b')
      if (!read.ok) throw new Error(read.problem)
      return read.screen
    },
    elements: {
      idOf: () => 'e1',
      has: id => id === 'e1',
      identityOf(id) {
        if (id === 'e1') return ELEMENT
        throw new WebDriverError('no such element', `no ${id}`)
      },
    },
  }
  return { session, performed, options } satisfies WebDriverBench
}
