/** Asks a device about one of its applications. */

import { isPackageName } from '../../contracts/device/package-name.ts'
import { commandLine } from '../../runtime/text/quote.ts'
import type { CallOptions, Link } from '../link/link.ts'
import { OUTPUT_BYTES_MAX } from '../link/link-limits.ts'
import { currentUser } from './current-user.ts'
import { readPackageDump } from './read-package-dump.ts'

/** Asks about the application of the user in front, unless another user is named. Undefined where that user does not have it. Rejects with LinkError. */
export const askApp = async (link: Link, call: CallOptions, applicationId: string, ofUser?: string) => {
  if (!isPackageName(applicationId)) return undefined
  const user = ofUser ?? (await currentUser(link, call))
  const line = commandLine('dumpsys', 'package', applicationId)
  const { stdout } = await link.shell(line, { ...call, maxBytes: OUTPUT_BYTES_MAX.state })
  const found = readPackageDump(stdout, applicationId, user)
  return found && { ...found, user }
}
