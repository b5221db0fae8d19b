/** The paths of everything that svc stores for its user. */
import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'

export type Environment = Readonly<Record<string, string | undefined>>

/** An empty HOME is none; then it is the one that the system has for this user. */
export const userHome = (env: Environment): string => env.HOME || homedir() || userInfo().homedir

/** `~/.svc`, or SVC_HOME. */
export const homeOf = (env: Environment): string => env.SVC_HOME || join(userHome(env), '.svc')

export const journalPath = (home: string): string => join(home, 'journal', 'journal.db')
