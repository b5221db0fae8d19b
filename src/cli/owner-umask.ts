/** A umask may keep files from others, and never from their owner: svc could not use what it made. */
const OWNER_KEPT = 0o077

/** Call this in commands that make lasting folders and files; programs that they start inherit it. */
export const keepOwnerRights = (): void => {
  const before = process.umask(OWNER_KEPT)
  process.umask(before & OWNER_KEPT)
}
