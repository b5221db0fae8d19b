/** The bound of the variables that a command sees: each script of the flow is told all of them. */
import { FLOW_ENV_BYTES } from './limits.ts'

export const variableBytes = (name: string, value: string): number => Buffer.byteLength(name) + Buffer.byteLength(value)

export const envBytes = (env: Readonly<Record<string, string>>): number =>
  Object.entries(env).reduce((sum, [name, value]) => sum + variableBytes(name, value), 0)

export const tooManyVariables = (bytes: number): string =>
  `The variables of the flow have ${bytes} bytes or more in all, and may have ${FLOW_ENV_BYTES}.`
