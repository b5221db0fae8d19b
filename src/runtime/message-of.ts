/** The message and the code of a thrown value, and how a message begins. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The system's code of what was thrown, such as `ENOENT`; empty when it has none. */
export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''

/** For a clause that begins a sentence. */
export const capitalised = (clause: string): string => clause.charAt(0).toUpperCase() + clause.slice(1)
