/** Ids minted by the host: UUIDv7, so that they sort by the time they were made. */
import { randomUUID } from 'node:crypto'
import { isId } from '../contracts/records/ids.ts'

export interface Ids {
  /** A UUIDv7 for that time. */
  at(now: number): string
  /** Random, for telling apart what lives at the same time. */
  instance(): string
}

/** When it was made, by the clock of whoever made it; undefined for a text that is no such id. */
export const idTime = (id: string): number | undefined =>
  isId(id) ? Number.parseInt(`${id.slice(0, 8)}${id.slice(9, 13)}`, 16) : undefined

export const systemIds = (): Ids => ({
  // Node keeps random UUIDs of version 4 in store; bytes asked for one by one are a call into the system each.
  at: now => {
    const time = now.toString(16).padStart(12, '0')
    return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
  },
  instance: () => randomUUID(),
})
