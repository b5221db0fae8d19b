/** The executions that one command has asked for, and which of them the header of its answer names. */
import type { WebDriverError } from '../protocol/webdriver-error.ts'

interface AskedExecution {
  readonly id: string
  /** False for a look. */
  readonly acts: boolean
}

/** The last one was refused before there was an execution: nobody would find one by its id. */
const isUnbegun = ({ data }: WebDriverError): boolean => data?.dispatched === false && data.executionId === undefined

export const createAskedExecutions = () => {
  const executions: AskedExecution[] = []
  const lastActing = (problem?: WebDriverError): string | undefined =>
    (problem && isUnbegun(problem) ? executions.slice(0, -1) : executions).findLast(({ acts }) => acts)?.id
  return {
    add: (id: string, acts: boolean) => void executions.push({ id, acts }),
    ids: () => executions.map(({ id }) => id),
    /** Counts only executions that may have reached the phone. */
    lastActing,
  }
}
