/** What is wrong with the place a command is called in: its directory, and the home directory that it would use. */
import { isAbsolute } from 'node:path'
import { type Environment, usage } from './command.ts'

/** The current directory, which may have been removed meanwhile. */
export const currentDirectory = (): string => {
  try {
    return process.cwd()
  } catch {
    throw usage('The current directory no longer exists.', { hint: 'Change to another directory and try again.' })
  }
}

const homeProblem = ({ SVC_HOME, HOME }: Environment): string | undefined => {
  if (SVC_HOME !== undefined) {
    if (SVC_HOME.trim() === '') return 'SVC_HOME is blank'
    return isAbsolute(SVC_HOME) ? undefined : `SVC_HOME is the relative path ${JSON.stringify(SVC_HOME)}`
  }
  // With an empty HOME, Node asks the system.
  return HOME && !isAbsolute(HOME) ? `HOME is the relative path ${JSON.stringify(HOME)}` : undefined
}

/** A relative path would be another home in every directory. */
export const refuseRelativeHome = (env: Environment): void => {
  const problem = homeProblem(env)
  if (problem === undefined) return
  throw usage(`${problem}: an absolute path is needed.`, {
    hint: 'Set SVC_HOME to an absolute path, or unset it for ~/.svc.',
  })
}
