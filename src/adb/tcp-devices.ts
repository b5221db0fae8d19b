/** The devices that are spoken to directly: `SVC_TCP_DEVICES=host:port,...`. */
import { type HostPort, hostAndPort } from './host-port.ts'

export interface TcpDevice {
  /** Also what adb calls it. */
  readonly serial: string
  /** Undefined for an entry that is not an address: it is listed as offline and says why when it is used. */
  readonly address: HostPort | undefined
}

/** adb takes this one when a host is given alone. */
const DEFAULT_PORT = 5555

const withPort = (entry: string): string => (/:\d+$/.test(entry) ? entry : `${entry}:${DEFAULT_PORT}`)

export const tcpDevices = (list: string | undefined): readonly TcpDevice[] => {
  const entries = (list ?? '').split(',').map(entry => entry.trim())
  return [...new Set(entries.filter(entry => entry !== '').map(withPort))].map(serial => ({
    serial,
    address: hostAndPort(serial),
  }))
}
