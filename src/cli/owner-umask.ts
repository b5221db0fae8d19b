/** A umask may keep files from others, and never from their owner: svc could not use what it made. */
const OWNER_KEPT = 0o077

/** For the commands that make folders and files to stay, and for the programs that they start. */
export const keepOwnerRights = (): void => {
  const before = process.umask(OWNER_KEPT)
  process.umask(before & OWNER_KEPT)
}
