/** The directory that a command is called from, which may have been removed meanwhile. */
import { usage } from './command.ts'

export const callersDirectory = (): string => {
  try {
    return process.cwd()
  } catch {
    throw usage('The directory that this was called from is not there any more.', {
      hint: 'Change to one that is, then try again.',
    })
  }
}
