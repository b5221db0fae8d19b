/** WebDriver for a host that may never be asked for it: loaded with its first session. */
import type { Clock } from '../runtime/clock.ts'
import type { Host } from '../runtime/host.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import { once } from '../runtime/once.ts'
import type { Ports } from '../runtime/port.ts'
import type { Service } from '../service/service.ts'
import type { Undo } from '../service/undo-left.ts'
import type { WebDriver } from '../surfaces/webdriver/server.ts'
import type { WebDriverParts } from './webdriver.ts'

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
