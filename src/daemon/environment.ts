/** The environment variables that decide which devices and which journal a process works with. */

const VARIABLES = [
  'ADB_SERVER_SOCKET',
  'ANDROID_ADB_SERVER_ADDRESS',
  'ANDROID_ADB_SERVER_PORT',
  'SVC_TCP_DEVICES',
  'SVC_LEASE_BY',
  'SVC_JOURNAL',
  'SVC_POLICY',
] as const

/** A command uses a daemon only when both have the same text: another daemon would miss the caller's devices. */
export const environmentOf = (env: Readonly<Record<string, string | undefined>>): string =>
  VARIABLES.flatMap(name => (env[name] ? [`${name}=${env[name]}`] : [])).join('\n')
