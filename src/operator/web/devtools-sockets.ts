/** Finds the sockets by which web views of an app let themselves be inspected. */
import { OUTPUT_BYTES_MAX } from '../../adb/link-limits.ts'
import { commandLine } from '../../adb/quote.ts'
import type { DeviceShell } from '../shell/device-shell.ts'

/** Browsers that listen under a name without a pid. */
const CHROME = /^(?:com\.android\.chrome|com\.chrome\.(?:beta|dev|canary)|org\.chromium\.chrome)$/
const CHROME_SOCKET = 'chrome_devtools_remote'
/** The last word of a line; abstract names begin with `@`. */
const SOCKET = /\s@((?:\w{1,40}_)?devtools_remote(?:_(\d{1,10}))?)$/
/** `ps -A -o PID,NAME`, or all columns of a `ps` that knows no others: the first number is the pid, the last word the name. */
const PROCESS = /^\s*(?:[^\s\d]\S*\s+)?(\d{1,10})\s(?:.*\s)?(\S+)$/

const LIST = [commandLine('grep', 'devtools_remote', '/proc/net/unix'), commandLine('ps', '-A', '-o', 'PID,NAME')].join(
  ' && ',
)

const isProcessOf = (name: string, packageName: string): boolean =>
  name === packageName || name.startsWith(`${packageName}:`)

export const socketsIn = (listed: string, packages: readonly string[]): string[] => {
  const lines = listed.split('\n').map(line => line.trimEnd())
  const found = lines.flatMap(line => {
    const [, name, pid] = SOCKET.exec(line) ?? []
    return name === undefined ? [] : [{ name, pid }]
  })
  const pids = new Set(
    lines.flatMap(line => {
      const [, pid, name = ''] = SOCKET.test(line) ? [] : (PROCESS.exec(line) ?? [])
      return pid !== undefined && packages.some(each => isProcessOf(name, each)) ? [pid] : []
    }),
  )
  const isChrome = packages.some(each => CHROME.test(each))
  const isOwn = ({ name, pid }: { name: string; pid: string | undefined }) =>
    pid === undefined ? isChrome && name === CHROME_SOCKET : pids.has(pid)
  return [...new Set(found.filter(isOwn).map(({ name }) => name))]
}

export const devtoolsSockets = async (
  shell: DeviceShell,
  packages: readonly string[],
  until: number,
): Promise<string[]> => socketsIn((await shell.ask(LIST, { until, maxBytes: OUTPUT_BYTES_MAX.state })).stdout, packages)
