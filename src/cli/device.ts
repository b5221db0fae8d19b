/** Chooses the device of a command: `--device`, else, within a skill run, the device that the run was given. */
import { skillRunIn } from '../contracts/ids.ts'
import type { Call } from './command.ts'

export const deviceOf = ({ text, env }: Pick<Call, 'text' | 'env'>): string | undefined =>
  text('device') ?? (skillRunIn(env) === undefined ? undefined : env.SVC_DEVICE_ID)
