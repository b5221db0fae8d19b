/** The network between the hosts and the phones of a trial: each phone behind proxies that are cut and slowed down. */
import { slowLink } from '../../support/adb/slow-link.ts'
import { type Cut, tcpLink } from '../../support/adb/tcp-link.ts'

/** A touch that a host has sent to the shell of a phone. */
export interface SentTouch {
  at: number
  phone: number
  line: string
}

export interface PhoneLinks {
  /** Without those of the operator app, which touches by itself. */
  touches: readonly SentTouch[]
  /** By which hosts reach the phones. */
  serials: readonly string[]
  cut(phone: number, how: Cut): void
  heal(phone: number): void
  slow(phone: number, byMs: number): void
  close(): Promise<void>
}

const portOf = (serial: string): number => Number(serial.split(':').at(-1))

const TOUCH = /input (?:tap|swipe)[\d. ]+/g

export const linkPhones = async (phones: readonly string[]): Promise<PhoneLinks> => {
  const touches: SentTouch[] = []
  const note = (phone: number) => (bytes: Buffer) => {
    for (const [line] of bytes.toString('latin1').matchAll(TOUCH)) touches.push({ at: Date.now(), phone, line })
  }
  const links = await Promise.all(
    phones.map(async (serial, phone) => {
      const slow = await slowLink(portOf(serial), note(phone))
      return { slow, cut: await tcpLink(slow.port) }
    }),
  )
  return {
    touches,
    serials: links.map(({ cut }) => `127.0.0.1:${cut.port}`),
    cut: (phone, how) => links[phone]?.cut.cut(how),
    heal: phone => links[phone]?.cut.heal(),
    slow: (phone, byMs) => links[phone]?.slow.slow(byMs),
    async close() {
      for (const { slow, cut } of links) await Promise.all([slow.close(), cut.close()])
    },
  }
}
