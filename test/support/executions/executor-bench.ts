/** The executor over one phone that exists as a link only: what is asked of it, in order, whichever process asks. */

import type { Policy } from '../../../src/contracts/policy.ts'
import { createInteractiveCheck } from '../../../src/device/link/interactive.ts'
import type { ShellResult } from '../../../src/device/link/link.ts'
import type { Links } from '../../../src/device/link/links.ts'
import { createSessions } from '../../../src/device/operators/app/session/sessions.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import type { Liveness } from '../../../src/runtime/ownership/ownership.ts'
import { type AskPhone, askNobody, askNothing } from '../../../src/service/executions/evidence/ask-phone.ts'
import { createLearner } from '../../../src/service/executions/evidence/learn.ts'
import { createExecutor, type ExecutorOptions } from '../../../src/service/executions/execute.ts'
import { createExecutionPolicy } from '../../../src/service/executions/execution-policy.ts'
import { createExecutions } from '../../../src/service/executions/executions.ts'
import { NO_FENCE } from '../../../src/service/executions/fence.ts'
import type { ExecutionOrder } from '../../../src/service/executions/order.ts'
import { operatorPort } from '../../../src/service/executions/run/operator-port.ts'
import { validateExecution } from '../../../src/service/executions/validate.ts'
import { createWaitingRooms } from '../../../src/service/executions/waiting/waiting-room.ts'
import { createDeviceNames } from '../../../src/service/policy/policies.ts'
import { createRecordDenial, createRefuse } from '../../../src/service/policy/refuse.ts'
import { createReservations } from '../../../src/service/reservations/reservations.ts'
import { type Android12, android12 } from '../../device/link/dumps/android-12.ts'
import { type FakeLink, fakeLink, shellOk } from '../device/fake-link.ts'
import { screenParts } from '../device/screen-parts.ts'
import { deviceHost } from './device-host.ts'
import { payloadOf } from './lab.ts'

export const pressHome = (timeoutMs = 5_000): Omit<ExecutionOrder, 'screenshots'> => {
  const validation = validateExecution(
    payloadOf([{ id: 'h', type: 'press_key', params: { key: 'home' } }], { timeoutMs }),
  )
  if (!validation.ok) throw new Error(validation.error.message)
  return { execution: validation.execution, deviceId: 'd1', operatorPackage: 'svc.shell' }
}

export const screen = (wakefulness: Android12['wakefulness']) =>
  android12({ wakefulness, showing: wakefulness !== 'Awake', occluded: false, deviceLocked: wakefulness !== 'Awake' })

type Shell = (command: string) => Promise<ShellResult> | ShellResult | undefined

/** A phone whose screen is as told until it is woken; `shell` says what it answers otherwise than usual. */
export const phone = (clock: Clock, shell?: Shell, wakefulness: Android12['wakefulness'] = 'Awake') => {
  let state = wakefulness
  return fakeLink(clock, {
    shell: command => {
      if (command.includes('KEYCODE_WAKEUP')) state = 'Awake'
      return shell?.(command) ?? shellOk(command.startsWith('dumpsys power') ? screen(state) : '')
    },
  })
}

/** What changes the phone; looking at it does not. */
export const deeds = (link: FakeLink) => link.calls.filter(call => !/^shell (dumpsys|getprop)/.test(call))

export interface ProcessOptions {
  journal: Journal
  clock: Clock
  link: FakeLink
  links?: Partial<Links>
  pid?: number
  policy?: Policy
  /** Instead of what takes executions to the phone. */
  operator?: ReturnType<typeof operatorPort> | undefined
  /** Tells whether another process lives; all do unless told. */
  mayLive?: Liveness
  /** There is no phone unless told. */
  askPhone?: AskPhone
  /** Other parts than those of a process that is in no fleet. */
  parts?: Partial<Pick<ExecutorOptions, 'leaseBy' | 'operatorChoice' | 'policy' | 'fence'>>
}

/** One svc process before that phone. */
export const svcProcess = ({
  journal,
  clock,
  link,
  links,
  pid = 1,
  policy,
  parts = {},
  mayLive,
  askPhone = askNobody,
  ...own
}: ProcessOptions) => {
  const { fence = NO_FENCE } = parts
  const sessions = createSessions({ clock, openLink: async () => link })
  const checkInteractive = createInteractiveCheck(clock)
  const usual = operatorPort({ fence, clock, sessions, checkInteractive, ...screenParts(journal, clock) })
  const operator = own.operator ?? usual
  const host = deviceHost({ journal, clock, operator, pid, instance: `i${pid}` })
  const all: Links = {
    list: async () => ({ devices: [{ serial: 'd1', state: 'device' }] }),
    known: async () => undefined,
    track: () => {},
    get: async () => link,
    current: () => link,
    probe: async () => 'device',
    close: async () => {},
    ...links,
  }
  let minted = 0
  const ids = { at: () => `e${pid}-${++minted}`, instance: () => `i${pid}` }
  const rooms = createWaitingRooms({ host, journal, clock, mayLive: mayLive ?? (() => true) })
  const learner = createLearner({ host, journal, clock, fence, askPhone, askRequest: askNothing })
  const executor = createExecutor({
    rooms,
    fence,
    learner,
    host,
    journal,
    links: all,
    clock,
    ids,
    leaseBy: 'adb-serial',
    operatorChoice: { choose: async () => 'svc.shell', forget: () => {} },
    policy: createExecutionPolicy({
      load: () => (policy ? { kind: 'policy', path: '/policy.json', policy } : { kind: 'none' }),
      namesOf: createDeviceNames(journal),
      refuse: createRefuse(createRecordDenial({ journal, clock, note: () => {} })),
    }),
    ...parts,
  })
  const screenshots = { relativeTo: '/nowhere', newFilesIn: '/nowhere' }
  return {
    host,
    executions: createExecutions({ executor, host, journal, clock, rooms, learner }),
    reservations: createReservations({
      host,
      journal,
      clock,
      ids,
      leaseBy: 'adb-serial',
      mayLive: mayLive ?? (() => true),
    }),
    execute: (request: Omit<ExecutionOrder, 'screenshots'>) => executor({ ...request, screenshots }),
  }
}
