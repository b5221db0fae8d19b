/** `host:port` as people and adb write it, brackets around IPv6. */

export interface HostPort {
  readonly host: string
  readonly port: number
}

export const DEFAULT_HOST = '127.0.0.1'
const PORT_MAX = 65_535

export const hostAndPort = (text: string): HostPort | undefined => {
  const found = /^(?:\[(?<v6>[\da-fA-F:.]+)\]|(?<name>[^\s:[\]]+)):(?<port>\d{1,5})$/.exec(text)?.groups
  const host = found?.v6 ?? found?.name
  const port = Number(found?.port)
  return host === undefined || port < 1 || port > PORT_MAX ? undefined : { host, port }
}
