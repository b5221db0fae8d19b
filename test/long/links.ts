/** The network between the hosts and the phones of a trial: each phone behind proxies that are cut and slowed down. */
import { slowLink } from '../support/slow-link.ts'
import { type Cut, tcpLink } from '../support/tcp-link.ts'

export interface PhoneLinks {
  /** By which hosts reach the phones. */
  serials: readonly string[]
  cut(phone: number, how: Cut): void
  heal(phone: number): void
  slow(phone: number, byMs: number): void
  close(): Promise<void>
}

const portOf = (serial: string): number => Number(serial.split(':').at(-1))

export const linkPhones = async (phones: readonly string[]): Promise<PhoneLinks> => {
  const links = await Promise.all(
    phones.map(async serial => {
      const slow = await slowLink(portOf(serial))
      return { slow, cut: await tcpLink(slow.port) }
    }),
  )
  return {
    serials: links.map(({ cut }) => `127.0.0.1:${cut.port}`),
    cut: (phone, how) => links[phone]?.cut.cut(how),
    heal: phone => links[phone]?.cut.heal(),
    slow: (phone, byMs) => links[phone]?.slow.slow(byMs),
    async close() {
      for (const { slow, cut } of links) await Promise.all([slow.close(), cut.close()])
    },
  }
}
