/** Which devices and which journal a process works with, as far as its environment says. Another daemon would miss the caller's. */

const VARIABLES = [
  'ADB_SERVER_SOCKET',
  'ANDROID_ADB_SERVER_ADDRESS',
  'ANDROID_ADB_SERVER_PORT',
  'SVC_TCP_DEVICES',
  'SVC_LEASE_BY',
  'SVC_JOURNAL',
] as const

/** Equal texts are equal reaches. */
export const reachOf = (env: Readonly<Record<string, string | undefined>>): string =>
  VARIABLES.flatMap(name => (env[name] ? [`${name}=${env[name]}`] : [])).join('\n')
