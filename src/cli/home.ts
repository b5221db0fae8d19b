/** Where all of svc's own files are: `~/.svc`, or SVC_HOME. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from './command.ts'

export const homeOf = (env: Environment): string => env.SVC_HOME || join(env.HOME || homedir(), '.svc')
