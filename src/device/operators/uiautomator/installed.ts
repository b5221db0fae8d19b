/** Identifies the helper packages on a phone by their bytes, and reads the other facts needed to start the helper. */
import { createHash } from 'node:crypto'
import { commandLine } from '../../../runtime/text/quote.ts'
import { type CallOptions, type Link, LinkError } from '../../link/link.ts'
import { OUTPUT_BYTES_MAX } from '../../link/link-limits.ts'
import { type HelperApk, KEYBOARD_HELPER, SNAPSHOT_HELPER } from './helper-apks.ts'
import type { Display } from './tree.ts'

export type InstalledHelper =
  | { kind: 'missing' }
  /** The very bytes that we ship. */
  | { kind: 'ours'; sha256: string }
  /** Another build, which may still speak the protocol when it is newer. */
  | { kind: 'newer' | 'other'; sha256: string | undefined; versionCode: number | undefined }

export interface PhoneFacts {
  snapshot: InstalledHelper
  keyboard: InstalledHelper
  /** A helper that somebody has started, us included. */
  isRunning: boolean
  display: Display | undefined
  /** The keyboard that a person had when a text was being typed and the link went; see keyboard.ts. */
  keyboardMark: string | undefined
}

/** A setting of our own on the phone. */
export const KEYBOARD_MARK = 'svc_previous_input_method'
/** Far more than the helpers have. */
const APK_BYTES_MAX = 4 * 1_024 * 1_024
const BETWEEN = '--'

const QUESTION = [
  commandLine('pm', 'path', SNAPSHOT_HELPER.packageName),
  commandLine('pm', 'path', KEYBOARD_HELPER.packageName),
  commandLine('settings', 'get', 'secure', KEYBOARD_MARK),
  commandLine('wm', 'size'),
  commandLine('pidof', SNAPSHOT_HELPER.packageName),
].join(`; echo ${BETWEEN}; `)

const VERSION = /\bversionCode=(\d{1,10})\b/
const SIZE = /(?:Physical|Override) size: (\d{1,5})x(\d{1,5})/g

const versionOf = async (link: Link, packageName: string, options: CallOptions): Promise<number | undefined> => {
  const line = commandLine('dumpsys', 'package', packageName)
  const { stdout } = await link.shell(line, { ...options, maxBytes: OUTPUT_BYTES_MAX.state })
  const found = VERSION.exec(stdout)?.[1]
  return found === undefined ? undefined : Number(found)
}

/** Undefined when it cannot be read, or is larger than any of ours. */
const digestOf = async (link: Link, path: string, options: CallOptions): Promise<string | undefined> => {
  try {
    const apk = await link.pull(path, { ...options, maxBytes: APK_BYTES_MAX })
    return createHash('sha256').update(apk).digest('hex')
  } catch (error) {
    if (error instanceof LinkError && ['LINK_SOCKET_REFUSED', 'DEVICE_OUTPUT_TOO_LARGE'].includes(error.code))
      return undefined
    throw error
  }
}

const identify = async (link: Link, apk: HelperApk, output: string, options: CallOptions): Promise<InstalledHelper> => {
  const path = /^package:(\/\S+)/m.exec(output)?.[1]
  if (path === undefined) return { kind: 'missing' }
  const sha256 = await digestOf(link, path, options)
  if (sha256 === apk.sha256) return { kind: 'ours', sha256 }
  const versionCode = await versionOf(link, apk.packageName, options)
  return { kind: versionCode !== undefined && versionCode > apk.versionCode ? 'newer' : 'other', sha256, versionCode }
}

const displayIn = (output: string): Display | undefined => {
  const [, width, height] = [...output.matchAll(SIZE)].at(-1) ?? []
  return width === undefined || height === undefined ? undefined : { width: Number(width), height: Number(height) }
}

/** The snapshot helper that the phone has. Rejects with LinkError. */
export const installedHelper = async (link: Link, options: CallOptions): Promise<InstalledHelper> => {
  const line = commandLine('pm', 'path', SNAPSHOT_HELPER.packageName)
  const { stdout } = await link.shell(line, { ...options, maxBytes: OUTPUT_BYTES_MAX.report })
  return await identify(link, SNAPSHOT_HELPER, stdout, options)
}

/** Rejects with LinkError. */
export const readPhoneFacts = async (link: Link, options: CallOptions): Promise<PhoneFacts> => {
  const { stdout } = await link.shell(QUESTION, { ...options, maxBytes: OUTPUT_BYTES_MAX.report })
  const [snapshot = '', keyboard = '', mark = '', size = '', pid = ''] = stdout.split(`${BETWEEN}\n`)
  return {
    snapshot: await identify(link, SNAPSHOT_HELPER, snapshot, options),
    keyboard: await identify(link, KEYBOARD_HELPER, keyboard, options),
    isRunning: /\d/.test(pid),
    display: displayIn(size),
    keyboardMark: /^\S+\/\S+$/.test(mark.trim()) ? mark.trim() : undefined,
  }
}
