/** The message of a thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The system's code of what was thrown, such as `ENOENT`; empty when it has none. */
export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''
