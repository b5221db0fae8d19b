/** The URLs of NATS servers, taken apart. They may hold passwords and tokens, so no message repeats any part of one. */

/** The credentials or the servers are wrong in a way that waiting does not cure. */
export class FleetConfigurationError extends Error {}

/** Its message repeats no part of a URL, so there is nothing to mask in it. */
export class ServerUrlError extends FleetConfigurationError {}

export interface ServerUrls {
  /** Host and port of each. */
  servers: string[]
  user?: string
  pass?: string
  tls: boolean
}

const PORT = '4222'
const EXPECTED = 'Expected nats://<host>:<port> or tls://<host>:<port>'

const parsed = (text: string): URL | undefined => {
  const full = text.includes('://') ? text : `nats://${text}`
  return URL.canParse(full) ? new URL(full) : undefined
}

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Why it is not the URL of a server, in words that hold for every URL. */
const problemOf = (url: URL | undefined): string | undefined => {
  if (!url || url.hostname === '') return 'is not a URL with a host'
  if (url.protocol !== 'nats:' && url.protocol !== 'tls:') return 'begins with neither nats:// nor tls://'
  // A password with one of these characters ends the name of the host early, and would be taken for a port.
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') return 'goes on after the port'
  if (/[\s%]/.test(url.hostname)) return 'has a host that is not a name or an address'
  if (decoded(url.username) === undefined || decoded(url.password) === undefined) {
    return 'has a user or a password with a % that no two hexadecimal digits follow'
  }
  return undefined
}

/** Throws ServerUrlError, which names a URL by its place among the given ones. */
export const readUrls = (urls: readonly string[]): ServerUrls => {
  const read: ServerUrls = { servers: [], tls: false }
  for (const [index, text] of urls.entries()) {
    const url = parsed(text)
    const problem = problemOf(url)
    if (!url || problem !== undefined) {
      const which = urls.length === 1 ? 'The URL' : `URL ${index + 1} of ${urls.length}`
      throw new ServerUrlError(
        `${which} of the NATS servers ${problem}. ${EXPECTED}; in a user or a password, write each of , / ? # @ : % as its percent code.`,
      )
    }
    read.tls ||= url.protocol === 'tls:'
    if (url.username !== '') {
      read.user = decoded(url.username) ?? ''
      read.pass = decoded(url.password) ?? ''
    }
    read.servers.push(`${url.hostname}:${url.port || PORT}`)
  }
  return read
}

const MONITOR_EXPECTED = 'http://<host>:8222'

export interface MonitorAddress {
  /** The URL with user and password removed. */
  url: string
  authorization?: string
}

/** Undefined for what is not an address that can be asked over HTTP. */
export const readMonitorUrl = (text: string): MonitorAddress | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
  const [user, pass] = [decoded(url.username), decoded(url.password)]
  if (user === undefined || pass === undefined) return undefined
  const basic = user === '' && pass === '' ? undefined : Buffer.from(`${user}:${pass}`).toString('base64')
  return { url: url.origin, ...(basic === undefined ? {} : { authorization: `Basic ${basic}` }) }
}

export const monitorProblem = (index: number): string =>
  `address ${index + 1} of SVC_FLEET_MONITOR is not a URL such as ${MONITOR_EXPECTED}`
