/** The links of a process as its environment describes them: which adb server, which devices without one, which key. */
import { join } from 'node:path'
import type { Clock } from '../runtime/clock.ts'
import { userHome } from '../runtime/home.ts'
import { findAdb } from './adb-program.ts'
import { createLinks, type Links } from './links.ts'
import { serverAddress } from './server-address.ts'
import { tcpDevices } from './tcp-devices.ts'

export interface LinksFrom {
  env: Readonly<Record<string, string | undefined>>
  clock: Clock
}

export const linksFrom = ({ env, clock }: LinksFrom): Links =>
  createLinks({
    clock,
    server: serverAddress(env),
    program: { path: findAdb(env), env },
    tcpDevices: tcpDevices(env.SVC_TCP_DEVICES),
    keyPath: join(userHome(env), '.android', 'adbkey'),
  })
