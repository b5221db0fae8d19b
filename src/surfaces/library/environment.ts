/** What the library takes from its process: the environment, and where the program `svc` of this package is. */
import { fileURLToPath } from 'node:url'
import type { Environment } from '../../runtime/home.ts'

/** The only reader of the environment in the library. */
export const processEnvironment = (): Environment => process.env

/** Seen from the bundle in `dist/lib`. */
export const packagedProgram = (): string => fileURLToPath(new URL('../svc.cjs', import.meta.url))
