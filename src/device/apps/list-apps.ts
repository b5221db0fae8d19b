/** Asks the package manager of a device which applications its user has. */

import { APP_KINDS, type AppKind, type ListedApp } from '../../contracts/device/apps.ts'
import { commandLine } from '../../runtime/text/quote.ts'
import { type CallOptions, type Link, LinkError } from '../link/link.ts'
import { OUTPUT_BYTES_MAX } from '../link/link-limits.ts'
import { complaintOf } from '../operators/shell/device-shell.ts'
import { currentUser } from './current-user.ts'

const CHOOSING: Readonly<Record<AppKind, string>> = { user: '-3', system: '-s' }
/** Android 7 knows no such option. */
const WITH_VERSIONS = '--show-versioncode'

const LINE = /^package:([\w.]+)(?: versionCode:(\d+))?/

const appsIn = (output: string, kind: AppKind): ListedApp[] =>
  output.split('\n').flatMap(line => {
    const [, applicationId, version] = LINE.exec(line) ?? []
    if (applicationId === undefined) return []
    const versionCode = Number(version)
    return [{ applicationId, kind, ...(Number.isSafeInteger(versionCode) ? { versionCode } : {}) }]
  })

const byName = (one: ListedApp, other: ListedApp): number =>
  one.applicationId < other.applicationId ? -1 : Number(one.applicationId > other.applicationId)

/** Sorted by name. Rejects with LinkError. */
export const listApps = async (link: Link, call: CallOptions, kind?: AppKind): Promise<ListedApp[]> => {
  const user = await currentUser(link, call)
  const ask = (...options: string[]) =>
    link.shell(commandLine('pm', 'list', 'packages', '--user', user, ...options), {
      ...call,
      maxBytes: OUTPUT_BYTES_MAX.report,
    })
  const ofKind = async (one: AppKind) => {
    const answer = await ask(CHOOSING[one], WITH_VERSIONS)
    const { stdout } = complaintOf(answer)?.includes(WITH_VERSIONS) ? await ask(CHOOSING[one]) : answer
    const found = appsIn(stdout, one)
    const complaint = complaintOf(answer)
    if (found.length > 0 || complaint === undefined || complaint.includes(WITH_VERSIONS)) return found
    throw new LinkError('DEVICE_SHELL_UNAVAILABLE', `the package manager of the device refused: ${complaint}`)
  }
  const found = await Promise.all(APP_KINDS.filter(one => kind === undefined || kind === one).map(ofKind))
  return found.flat().sort(byName)
}
