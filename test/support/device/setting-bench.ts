/** change_setting and restore_settings as a host runs them on a simulated phone, with the journal that is given. */
import * as v from 'valibot'
import { Action, type ActionInput } from '../../../src/contracts/executions/action.ts'
import { createChangeMemory } from '../../../src/device/settings/changes/change-memory.ts'
import { stepChanges } from '../../../src/device/settings/changes/step-changes.ts'
import { runHostStep } from '../../../src/device/steps/run-host-step.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import { createPhone, type SimulatedPhone } from '../../../src/simulator/device.ts'
import { defaultScenario } from '../../../src/simulator/scenario/default/apps.ts'
import { createSharedCaches } from '../../../src/simulator/shared-caches.ts'
import { phoneLink } from '../adb/phone-link.ts'
import { runOut } from '../cli/run-out.ts'
import { type ManualClock, manualClock } from '../manual-clock.ts'

interface BenchOptions {
  sdk?: number
  properties?: Readonly<Record<string, string>>
  clock?: ManualClock
  phone?: SimulatedPhone
  journal?: Journal
  /** The serial by which the host reaches it. */
  serial?: string
  /** Answers a command in the place of the phone; undefined leaves it to the phone. */
  answer?: (command: string) => { stdout?: string; stderr?: string; exitCode?: number } | undefined
}

const SCENARIO = defaultScenario()
const SHARED = createSharedCaches(SCENARIO)

export const settingBench = (options: BenchOptions = {}) => {
  const { sdk = 35, properties = {}, clock = manualClock(), serial, answer = () => undefined } = options
  const base = SCENARIO
  const scenario = {
    ...base,
    device: {
      ...base.device,
      properties: { ...base.device.properties, 'ro.build.version.sdk': String(sdk), ...properties },
    },
  }
  const phone = options.phone ?? createPhone({ name: 'sim', serialno: 'SIM', scenario, clock, shared: SHARED })
  const journal = options.journal ?? memoryJournal({ alive: () => true, clock })
  const changes = createChangeMemory({ journal, clock })
  const real = phoneLink(phone, clock)
  const commands: string[] = []
  const link = {
    ...real,
    ...(serial === undefined ? {} : { serial }),
    shell: async (command: string, call: Parameters<typeof real.shell>[1]) => {
      commands.push(command)
      const said = answer(command)
      return said ? { exitCode: 0, stdout: '', stderr: '', ...said } : real.shell(command, call)
    },
  }
  let executions = 0

  const run = async (step: Omit<ActionInput & { type: ActionInput['type'] }, 'id'>) => {
    executions += 1
    const place = { device: 'device:SIM', executionId: `e${executions}`, step: 's1' }
    const own = stepChanges(changes, place, () => {})
    const action = v.parse(Action, { id: 's1', ...step })
    const started = runHostStep(action, {
      link,
      clock,
      deadline: clock.now() + 60_000,
      signal: new AbortController().signal,
      screenshotPath: () => '',
      remember: own.remember,
      openChanges: own.openChanges,
    })
    const outcome = await runOut(started, clock, 100)
    if (outcome.error === null) await own.made()
    return { data: outcome.stepResults[0]?.data ?? {}, error: outcome.error }
  }

  return {
    ...{ clock, phone, journal, changes, link, commands },
    open: () => changes.open('device:SIM'),
    set: (setting: string, value: unknown, more: object = {}) =>
      run({ type: 'change_setting', params: { setting, value, ...more } } as never),
    restore: (params?: object) => run({ type: 'restore_settings', ...(params ? { params } : {}) } as never),
  }
}
