/**
 * The parts of a host that may never be asked for them: the runner of flows, loaded when the first is asked for, and
 * WebDriver, loaded with its first session.
 */

import type { Clock } from '../runtime/clock.ts'
import type { Host } from '../runtime/host.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import { once } from '../runtime/once.ts'
import { deadlinePort, type Ports } from '../runtime/port.ts'
import type { Service } from '../service/service.ts'
import type { Undo } from '../service/undo-left.ts'
import type { WebDriver } from '../surfaces/webdriver/server.ts'
import type { FlowParts, FlowRunner } from './flows.ts'
import type { WebDriverParts } from './webdriver.ts'

export const lateFlows = (parts: FlowParts) => {
  const runner = once(async (): Promise<FlowRunner> => (await import('./flows.ts')).createFlowParts(parts))
  const port =
    (name: keyof FlowRunner['ports']): Ports[string] =>
    async (input, tools) =>
      (await runner()).ports[name](input, tools)
  return {
    ports: {
      'flow-run': { stage: port('stage') },
      'test-run': { plan: port('plan'), runner: port('runner'), deadline: deadlinePort(parts.clock) },
    },
    testRuns: async () => (await runner()).testRuns,
  }
}

export interface LateSessionParts {
  clock: Clock
  ids: Ids
  host: () => Host
  journal: () => Journal
  service: () => Promise<Service>
  undo: () => Undo
  note(text: string): void
  /** The program file of this svc, beside which those of threads are. */
  program: string | undefined
}

export const lateSessions = (lateParts: LateSessionParts) => {
  let ofListener: Service | undefined
  const parts = { ...lateParts, service: async () => ofListener ?? lateParts.service() }
  const made = once(async (): Promise<WebDriverParts> => (await import('./webdriver.ts')).createWebDriverParts(parts))
  const port =
    (name: keyof WebDriverParts['ports']): Ports[string] =>
    async (input, tools) =>
      (await made()).ports[name](input, tools)
  return {
    ports: { session: { open: port('open'), watch: port('watch'), keep: port('keep'), close: port('close') } },
    served: {
      webDriver: async (): Promise<WebDriver> => (await made()).webDriver,
      /** Takes the service of the listener that sessions come through. */
      useSessionService(service: Service): void {
        ofListener = service
      },
    },
    close: async (): Promise<void> => (await made.made())?.close(),
  }
}
