/** Runs something that may throw where a failure needs no reason: undefined says that it failed. */
export const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}
