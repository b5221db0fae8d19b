/** The heavy half of the command line, a bundle of its own: what commands load once they have something to do. */
import { createServices, type ServicesOptions } from '../roots/command.ts'
import { programFile } from './program-file.ts'
import type { Services } from './services.ts'

export const openServices = (options: Omit<ServicesOptions, 'program'>): Services =>
  createServices({ ...options, program: programFile() })

export const daemon = () => import('./daemon/manage.ts')
export const daemonRun = () => import('./daemon/run.ts')
export const doctor = () => import('./doctor/doctor.ts')
export const fleetAddress = () => import('./fleet-address.ts')
export const emulators = () => import('./emulators.ts')
export const operator = () => import('./operator/operator.ts')
export const journal = () => import('./journal.ts')
export const simulation = () => import('./simulation.ts')
export const fromDump = () => import('./from-dump.ts')
export const trace = () => import('./viewer/trace.ts')
export const fleetWatch = () => import('./watch-fleet.ts')
export const liveView = () => import('./viewer/live-view.ts')
export const inspect = () => import('./viewer/inspect.ts')
export const recording = () => import('./skills/record.ts')
export const fleetHosts = () => import('./fleet/hosts.ts')
export const fleetPermissions = () => import('./fleet/permissions.ts')
export const fleetDevices = () => import('./fleet/devices.ts')
export const fleetSkillRun = () => import('./fleet/skill-run.ts')
export const fleetReceipts = () => import('./fleet/receipts.ts')
export const fleetExecution = () => import('./fleet/execute.ts')
export const pool = () => import('../workers/pool.ts')
