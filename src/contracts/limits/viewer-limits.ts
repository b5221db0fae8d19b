/** Limits of the viewer alone: a command that a daemon answers does not read them. */
/** Titles of executions that a server remembers. */
export const EXECUTION_TITLES_MAX = 2_000

/** How many executions away, and for how long, the screen beside an execution is looked for. */
export const NEIGHBOUR_EXECUTIONS_MAX = 10
export const NEIGHBOUR_SCREEN_MS = 10 * 60 * 1_000
