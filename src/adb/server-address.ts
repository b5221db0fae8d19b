/** Finds the address of the adb server, by the same variables as adb itself. */
import { DEFAULT_HOST, hostAndPort } from './host-port.ts'

/** An address that nobody can connect to is kept with its reason, so that only a command that needs a device fails. */
export type ServerAddress =
  | { readonly path: string }
  | { readonly host: string; readonly port: number }
  | { readonly unusable: string }

type Variable = 'ADB_SERVER_SOCKET' | 'ANDROID_ADB_SERVER_ADDRESS' | 'ANDROID_ADB_SERVER_PORT'
export type ServerEnvironment = Readonly<Partial<Record<Variable, string | undefined>>>

const DEFAULT_PORT = 5037
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
  const port = env.ANDROID_ADB_SERVER_PORT || String(DEFAULT_PORT)
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
