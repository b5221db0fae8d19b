/** Takes a connection to the point where it may open streams: CNXN, and AUTH for a host unknown to the device. */
import { AdbCommand } from '@yume-chan/adb'
import { PAYLOAD_BYTES_MAX, type Packet } from '../../device/link/packet.ts'
import type { Phone } from '../phone.ts'
import type { DeviceState } from '../phone-parts.ts'

/** From this version on, packets carry no checksum. */
export const VERSION = 0x0100_0001
const FEATURES = 'shell_v2,cmd,stat_v2,ls_v2,fixed_push_mkdir'
/** Smaller than what every host can take: nonsense. */
const PAYLOAD_BYTES_MIN = 256
const AUTH_TOKEN = 1
const AUTH_SIGNATURE = 2
const TOKEN_BYTES = 20

export interface Terms {
  version: number
  payloadBytesMax: number
}

export type Reaction =
  | { kind: 'silent' }
  | { kind: 'close' }
  | { kind: 'challenge'; token: Uint8Array }
  /** Both sides may open streams from now on. */
  | { kind: 'connected'; terms: Terms; banner: string }

const BANNER_PROPERTIES = ['ro.product.name', 'ro.product.model', 'ro.product.device']

/** Characters that the banner uses itself. */
const inBanner = (value: string) => value.replace(/[;=\0\r\n]|::/g, '_')

const bannerOf = (phone: Phone, state: DeviceState): string => {
  const facts = BANNER_PROPERTIES.map(name => `${name}=${inBanner(phone.properties.get(name) ?? '')}`)
  return `${state === 'recovery' ? 'recovery' : 'device'}::${facts.join(';')};features=${FEATURES}`
}

const SILENT: Reaction = { kind: 'silent' }

export const createHandshake = (phone: Phone, initial: DeviceState) => {
  let state = initial
  let terms: Terms | undefined

  const challenge = (): Reaction => ({
    kind: 'challenge',
    token: crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)),
  })
  const answer = (): Reaction => {
    if (state === 'offline' || !terms) return SILENT
    return state === 'unauthorized' ? challenge() : { kind: 'connected', terms, banner: bannerOf(phone, state) }
  }

  return {
    received({ command, arg0, arg1 }: Packet): Reaction {
      if (command === AdbCommand.Connect) {
        if (arg1 < PAYLOAD_BYTES_MIN) return { kind: 'close' }
        terms = { version: Math.min(arg0, VERSION), payloadBytesMax: Math.min(arg1, PAYLOAD_BYTES_MAX) }
        return answer()
      }
      // A signature never fits, so the host tries its next key, and with its last one asks the person at the device.
      return command === AdbCommand.Auth && arg0 === AUTH_SIGNATURE ? answer() : SILENT
    },
    /** The person at the device has tapped Allow. */
    allow(): Reaction {
      if (state === 'unauthorized') state = 'device'
      return answer()
    },
  }
}

export const authPacket = (token: Uint8Array): Packet => ({
  command: AdbCommand.Auth,
  arg0: AUTH_TOKEN,
  arg1: 0,
  payload: token,
})

export const connectPacket = (banner: string): Packet => ({
  command: AdbCommand.Connect,
  arg0: VERSION,
  arg1: PAYLOAD_BYTES_MAX,
  payload: Buffer.from(banner),
})
