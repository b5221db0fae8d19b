/** Identifies this process and its machine, and tells if another process of the same machine has ended. */
import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { bootId, isAlive, thisProcess } from '../../runtime/processes/processes.ts'
import type { FleetProcess } from './host-claim.ts'

/** Pids mean the same in one run of one machine and one namespace of pids only: a container has its own. */
const place = (): string => {
  let namespace = ''
  try {
    namespace = readlinkSync('/proc/self/ns/pid')
  } catch {
    // Other systems have one namespace.
  }
  return `${hostname()} ${bootId() ?? ''} ${namespace}`
}

export const thisFleetProcess = (): FleetProcess => ({ ...thisProcess(), place: place() })

export const hasEnded = (process: FleetProcess): boolean | undefined =>
  process.place === place() ? !isAlive(process) : undefined
