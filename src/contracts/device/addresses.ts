/** The addresses that the environment and callers name: of the adb server, and of devices that are spoken to directly. */

export interface HostPort {
  readonly host: string
  readonly port: number
}

const DEFAULT_HOST = '127.0.0.1'
const PORT_MAX = 65_535

export const hostAndPort = (text: string): HostPort | undefined => {
  const found = /^(?:\[(?<v6>[\da-fA-F:.]+)\]|(?<name>[^\s:[\]]+)):(?<port>\d{1,5})$/.exec(text)?.groups
  const host = found?.v6 ?? found?.name
  const port = Number(found?.port)
  return host === undefined || port < 1 || port > PORT_MAX ? undefined : { host, port }
}

export interface TcpDevice {
  /** Also what adb calls it. */
  readonly serial: string
  /** Undefined for an entry that is not an address: it is listed as offline and says why when it is used. */
  readonly address: HostPort | undefined
}

/** adb takes this one when a host is given alone. */
const DEVICE_PORT = 5555

export const withPort = (entry: string): string => (/:\d+$/.test(entry) ? entry : `${entry}:${DEVICE_PORT}`)

export const tcpDevices = (list: string | undefined): readonly TcpDevice[] => {
  const entries = (list ?? '').split(',').map(entry => entry.trim())
  return [...new Set(entries.filter(entry => entry !== '').map(withPort))].map(serial => ({
    serial,
    address: hostAndPort(serial),
  }))
}

/** An address that nobody can connect to is kept with its reason, so that only a command that needs a device fails. */
export type ServerAddress =
  | { readonly path: string }
  | { readonly host: string; readonly port: number }
  | { readonly unusable: string }

type Variable = 'ADB_SERVER_SOCKET' | 'ANDROID_ADB_SERVER_ADDRESS' | 'ANDROID_ADB_SERVER_PORT'
type ServerEnvironment = Readonly<Partial<Record<Variable, string | undefined>>>

const SERVER_PORT = 5037
const UNIX = 'localfilesystem:'
const TCP = 'tcp:'

/** `tcp:PORT` or `tcp:HOST:PORT`. */
const tcpAddress = (text: string): ServerAddress | undefined =>
  hostAndPort(/^\d+$/.test(text) ? `${DEFAULT_HOST}:${text}` : text)

const socketAddress = (text: string): ServerAddress => {
  if (text.startsWith(UNIX) && text.length > UNIX.length) return { path: text.slice(UNIX.length) }
  const address = text.startsWith(TCP) ? tcpAddress(text.slice(TCP.length)) : undefined
  return (
    address ?? { unusable: `ADB_SERVER_SOCKET is ${JSON.stringify(text)}, but must be ${UNIX}PATH or ${TCP}HOST:PORT` }
  )
}

export const serverAddress = (env: ServerEnvironment): ServerAddress => {
  if (env.ADB_SERVER_SOCKET) return socketAddress(env.ADB_SERVER_SOCKET)
  const host = env.ANDROID_ADB_SERVER_ADDRESS || DEFAULT_HOST
  const port = env.ANDROID_ADB_SERVER_PORT || String(SERVER_PORT)
  const bracketed = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  return (
    hostAndPort(`${bracketed}:${port}`) ?? {
      unusable: `ANDROID_ADB_SERVER_ADDRESS and ANDROID_ADB_SERVER_PORT do not form a valid address: ${host}:${port}`,
    }
  )
}

export const addressText = (address: ServerAddress): string => {
  if ('unusable' in address) return address.unusable
  return 'path' in address ? address.path : `${address.host}:${address.port}`
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1'])

/** The words by which adb is told to use that server; undefined for one that adb cannot start. */
export const serverFlags = (address: ServerAddress): readonly string[] | undefined => {
  if ('unusable' in address) return undefined
  if ('path' in address) return ['-L', `${UNIX}${address.path}`]
  // adb takes 127.0.0.1 in `-L tcp:` for a remote host and would refuse to start a server there.
  return LOOPBACK.has(address.host) ? ['-P', String(address.port)] : undefined
}
