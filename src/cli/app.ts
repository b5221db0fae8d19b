/** The heavy half of the command line, a bundle of its own: what commands load once they have something to do. */
import { createServices } from '../services.ts'
import type { Environment } from './command.ts'
import type { CliDeps } from './deps.ts'
import { programFile } from './program-file.ts'

export interface OpenOptions {
  env: Environment
  cwd: string
  note: (text: string) => void
}

export const openServices = (options: OpenOptions): CliDeps => createServices({ ...options, program: programFile() })

export const daemon = () => import('./daemon/daemon.ts')
export const daemonRun = () => import('./daemon/run.ts')
export const doctor = () => import('./doctor/doctor.ts')
export const journal = () => import('./journal/repair.ts')
export const simulation = () => import('./simulation/simulation.ts')
