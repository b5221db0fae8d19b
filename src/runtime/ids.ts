/** Ids minted by the host: UUIDv7, so that they sort by the time they were made. */
import { randomUUID } from 'node:crypto'

export interface Ids {
  /** A UUIDv7 for that time. */
  at(now: number): string
  /** Random, for telling apart what lives at the same time. */
  instance(): string
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** True for a text that has the form of an id from `at`. */
export const isId = (text: string): boolean => ID.test(text)

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
