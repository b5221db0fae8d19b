/** Says who holds the lock of a daemon, for those who waited for it in vain. */
import type { LockHolder } from '../runtime/lock-file.ts'

export const describeHolder = (holder: LockHolder | undefined): string =>
  holder
    ? `process ${holder.pid} is starting or stopping this daemon`
    : 'another process is starting or stopping this daemon'
