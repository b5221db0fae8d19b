/** Where everything lives that svc keeps of its user. */
import { homedir } from 'node:os'
import { join } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

export const userHome = (env: Environment): string => env.HOME || homedir()

/** `~/.svc`, or SVC_HOME. */
export const homeOf = (env: Environment): string => env.SVC_HOME || join(userHome(env), '.svc')
