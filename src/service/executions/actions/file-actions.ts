/** The actions of `svc files` and of the MCP tool `files`, still to be validated. Loads no schema. */
import { EXECUTION_TIMEOUT_MS } from '../../../contracts/limits/limits.ts'
import type { Draft } from './flat-actions.ts'

interface Transfer {
  from: string
  to: string
  applicationId?: string | undefined
  overwrite?: boolean | undefined
}

const definedValues = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

/** A transfer takes as long as it takes: it has all the time that an execution can have, unless the caller names one. */
const LONG = { timeoutMs: EXECUTION_TIMEOUT_MS.max }

export const pushAction = (transfer: Transfer): Draft => ({
  type: 'push_file',
  params: definedValues({ ...transfer }),
  ...LONG,
})
export const pullAction = (transfer: Transfer): Draft => ({
  type: 'pull_file',
  params: definedValues({ ...transfer }),
  ...LONG,
})

export const removeFileAction = (file: {
  path: string
  applicationId?: string | undefined
  recursive?: boolean | undefined
}): Draft => ({ type: 'remove_file', params: definedValues({ ...file }) })
