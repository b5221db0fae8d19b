/** Finds the sockets by which web views of an app let themselves be inspected. */

import { commandLine } from '../../runtime/text/quote.ts'
import { OUTPUT_BYTES_MAX } from '../link/link-limits.ts'
import type { DeviceShell } from '../operators/shell/device-shell.ts'

/** Browsers that listen under a name without a pid. */
const CHROME = /^(?:com\.android\.chrome|com\.chrome\.(?:beta|dev|canary)|org\.chromium\.chrome)$/
const CHROME_SOCKET = 'chrome_devtools_remote'
/** The last word of a line; abstract names begin with `@`. */
const SOCKET = /\s@((?:\w{1,40}_)?devtools_remote(?:_(\d{1,10}))?)$/
/** `ps -A -o PID,NAME`, or all columns of a `ps` that knows no others: the first number is the pid, the last word the name. */
const PROCESS = /^\s*(?:[^\s\d]\S*\s+)?(\d{1,10})\s(?:.*\s)?(\S+)$/

const HEAD = /^\s*PID\b/
const PROCESSES = commandLine('ps', '-A', '-o', 'PID,NAME')
const LIST = [commandLine('grep', 'devtools_remote', '/proc/net/unix'), PROCESSES].join(' && ')

const isProcessOf = (name: string, packageName: string): boolean =>
  name === packageName || name.startsWith(`${packageName}:`)

interface InspectedSocket {
  name: string
  pid: string | undefined
}

const linesOf = (listed: string) => listed.split('\n').map(line => line.trimEnd())

const socketNamesIn = (lines: readonly string[]): InspectedSocket[] =>
  lines.flatMap(line => {
    const [, name, pid] = SOCKET.exec(line) ?? []
    return name === undefined ? [] : [{ name, pid }]
  })

/** The names of processes by their ids. */
const processesIn = (lines: readonly string[]): Map<string, string> =>
  new Map(
    lines.flatMap((line): [string, string][] => {
      const [, pid, name = ''] = SOCKET.test(line) ? [] : (PROCESS.exec(line) ?? [])
      return pid === undefined ? [] : [[pid, name]]
    }),
  )

export const socketsIn = (listed: string, packages: readonly string[]): string[] => {
  const lines = linesOf(listed)
  const processes = processesIn(lines)
  const isChrome = packages.some(each => CHROME.test(each))
  const isOwn = ({ name, pid }: InspectedSocket) =>
    pid === undefined
      ? isChrome && name === CHROME_SOCKET
      : packages.some(each => isProcessOf(processes.get(pid) ?? '', each))
  return [
    ...new Set(
      socketNamesIn(lines)
        .filter(isOwn)
        .map(({ name }) => name),
    ),
  ]
}

export const devtoolsSockets = async (
  shell: DeviceShell,
  packages: readonly string[],
  until: number,
): Promise<string[]> => socketsIn((await shell.ask(LIST, { until, maxBytes: OUTPUT_BYTES_MAX.state })).stdout, packages)

/** Undefined where the phone does not tell. */
export const runsNow = async (shell: DeviceShell, packageName: string, until: number): Promise<boolean | undefined> => {
  const { stdout } = await shell.ask(PROCESSES, { until, maxBytes: OUTPUT_BYTES_MAX.state })
  const names = [...processesIn(linesOf(stdout)).values()]
  return HEAD.test(stdout) ? names.some(name => isProcessOf(name, packageName)) : undefined
}

/** All that can be inspected, with the application of each. A socket of Chrome does not say which of its versions has it. */
export const inspectedApps = (listed: string): { applicationId: string; socket: string }[] => {
  const lines = linesOf(listed)
  const processes = processesIn(lines)
  const chrome = [...processes.values()].find(name => CHROME.test(name)) ?? 'com.android.chrome'
  const apps = socketNamesIn(lines).flatMap(({ name, pid }) => {
    const owner = pid === undefined ? undefined : processes.get(pid)?.replace(/:.*$/, '')
    const applicationId = name === CHROME_SOCKET ? chrome : owner
    return applicationId === undefined ? [] : [{ applicationId, socket: name }]
  })
  return [...new Map(apps.map(app => [app.socket, app])).values()]
}

export const allInspectedApps = async (shell: DeviceShell, until: number) =>
  inspectedApps((await shell.ask(LIST, { until, maxBytes: OUTPUT_BYTES_MAX.state })).stdout)
