/** Names and addresses in a Host header or a URL: which of them are this machine's loopback. */
import { isIP, isIPv4 } from 'node:net'

export interface HostName {
  /** Lower case, IPv6 without brackets. */
  name: string
  port: string
}

const HOST = /^(?:\[([\da-f:.]+)\]|([a-z\d._-]+))(?::(\d{1,5}))?$/i

export const readHost = (header: string): HostName | undefined => {
  const [, v6, name, port = ''] = HOST.exec(header) ?? []
  if (v6 !== undefined) return isIP(v6) === 6 ? { name: v6.toLowerCase(), port } : undefined
  return name === undefined ? undefined : { name: name.toLowerCase(), port }
}

const MAPPED = '::ffff:'

/** An IPv4 address that came over an IPv6 socket, as what it is. */
export const plainAddress = (address: string): string => {
  const lower = address.toLowerCase()
  const rest = lower.startsWith(MAPPED) ? lower.slice(MAPPED.length) : ''
  return isIPv4(rest) ? rest : lower
}

export const isLoopbackAddress = (address: string): boolean => {
  const plain = plainAddress(address)
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'))
}

export const isLoopbackName = (name: string): boolean => name === 'localhost' || isLoopbackAddress(name)
