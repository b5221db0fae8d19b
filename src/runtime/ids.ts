/** Ids minted by the host: UUIDv7, so that they sort by the time they were made. */
import { randomBytes, randomUUID } from 'node:crypto'

export interface Ids {
  /** A UUIDv7 for that time. */
  at(now: number): string
  /** Random, for telling apart what lives at the same time. */
  instance(): string
}

export const systemIds = (): Ids => ({
  at: now => {
    const bytes = randomBytes(16)
    bytes.writeUIntBE(now, 0, 6)
    bytes.writeUInt8(((bytes[6] ?? 0) & 0x0f) | 0x70, 6)
    bytes.writeUInt8(((bytes[8] ?? 0) & 0x3f) | 0x80, 8)
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  },
  instance: () => randomUUID(),
})
