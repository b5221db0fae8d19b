/** Links over whatever a test has started, with limits that a test need not sit out. */

import { tcpDevices } from '../../../src/contracts/device/addresses.ts'
import type { LinkLimits } from '../../../src/device/link/link-limits.ts'
import { createLinks, type Links, type LinksOptions } from '../../../src/device/link/links.ts'
import { systemClock } from '../../../src/runtime/clock.ts'

export interface LinksForTests {
  server?: LinksOptions['server']
  program?: LinksOptions['program']
  tcp?: string
  keyPath?: string
  limits?: Partial<LinkLimits>
}

/** No key can be there, nor be made there. */
const NO_KEY = '/dev/null/adbkey'
const NOBODY = { path: '/nonexistent/svc-adb-server' }

export const linksFor = ({ server, program, tcp, keyPath, limits }: LinksForTests): Links =>
  createLinks({
    clock: systemClock(),
    server: server ?? NOBODY,
    program: program ?? { path: undefined, env: {} },
    tcpDevices: tcpDevices(tcp),
    keyPath: keyPath ?? NO_KEY,
    limits: { firstPauseMs: 20, lastPauseMs: 100, stableMs: 0, ...limits },
  })
