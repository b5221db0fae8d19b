/** Constructs WebDriver: the ports of its sessions for the host, and what answers its requests. */

import { threadFile } from '../runtime/threads/thread-file.ts'
import { createReadScreens } from '../service/read-screens.ts'
import type { WebDriverDeps } from '../surfaces/webdriver/deps.ts'
import { createWebDriver } from '../surfaces/webdriver/server.ts'
import { closePort, keepPort, openPort, watchPort } from '../surfaces/webdriver/session/session-ports.ts'
import type { LateSessionParts } from './late-parts.ts'

export const createWebDriverParts = ({ host, journal, program, ...parts }: LateSessionParts) => {
  const screens = createReadScreens(parts.clock, threadFile(program, 'xpath'))
  const deps: WebDriverDeps = {
    ...parts,
    screens,
    version: __SVC_VERSION__,
    sessions: new Map(),
    // The host is made with these ports, so both are looked up when they are needed.
    get host() {
      return host()
    },
    get journal() {
      return journal()
    },
  }
  return {
    ports: { open: openPort(deps), watch: watchPort(deps), keep: keepPort(deps), close: closePort(deps) },
    webDriver: createWebDriver(deps),
    close: () => screens.close(),
  }
}

export type WebDriverParts = ReturnType<typeof createWebDriverParts>
