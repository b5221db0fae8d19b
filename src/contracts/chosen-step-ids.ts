/** The ids of steps in executions that svc writes itself, and failures without them: their readers know no such step. */

export const chosenStepId = (at: number): string => `step-${at + 1}`

const CHOSEN = /^step-\d+$/
/** Matches a step as svc and operators name it in a message. */
const NAMED = /\bStep "step-\d+" \(([a-z_]+)\)/gi

/** `Step "step-1" (click) failed: ...` becomes `The action click failed: ...`. */
export const withoutChosenIds = (text: string): string => text.replace(NAMED, 'The action $1')

interface Failed {
  message: string
  details?: Record<string, unknown> | undefined
}

const isOwn = ([name, value]: [string, unknown]): boolean =>
  name === 'actionId' && typeof value === 'string' && CHOSEN.test(value)

export const withoutStepIds = <E extends Failed>(error: E): E => ({
  ...error,
  message: withoutChosenIds(error.message),
  ...(error.details === undefined
    ? {}
    : { details: Object.fromEntries(Object.entries(error.details).filter(entry => !isOwn(entry))) }),
})
