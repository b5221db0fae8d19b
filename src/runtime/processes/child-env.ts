/** The environment of the processes that svc starts: the caller's, without what is meant for svc alone. */

type Environment = Readonly<Record<string, string | undefined>>

/** A caller that knows it may drive every device of this user from another machine. */
const SECRETS: readonly string[] = ['SVC_SERVE_TOKEN']

/** The prefix of the variables that mark a process as part of one skill run. */
const OF_A_RUN = 'SVC_SKILL_'

const without = (env: Environment, isDropped: (name: string) => boolean): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined && !isDropped(pair[0])),
  )

/** The environment of a program that works for one caller. */
export const childEnv = (env: Environment): Record<string, string> => without(env, name => SECRETS.includes(name))

/** The environment of a program that serves every caller, such as a daemon: not part of the run that started it. */
export const sharedChildEnv = (env: Environment): Record<string, string> =>
  without(childEnv(env), name => name.startsWith(OF_A_RUN))
