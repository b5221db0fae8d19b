/** add_media: pictures and videos of the host, sent to the shared folders of the device and made known to its media store. */
import { basename, extname } from 'node:path'
import type { ParamsOf } from '../../contracts/actions/card.ts'
import { commandLine } from '../../runtime/text/quote.ts'
import { complaintOf, type DeviceShell, deviceShell } from '../operators/shell/device-shell.ts'
import { StepFailure } from '../screen/step-failure.ts'
import { pushFiles, type TransferOptions } from './push-files.ts'

const FOLDERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['png', 'jpg', 'jpeg', 'gif', 'webp', 'bmp', 'heic'].map(kind => [kind, '/sdcard/Pictures'])),
  ...Object.fromEntries(['mp4', 'webm', '3gp', 'mkv', 'mov'].map(kind => [kind, '/sdcard/Movies'])),
}

/** From Android 10 on, the media store takes a path; before, it listens to a broadcast. */
const STORE_SCANS_SDK = 29

const folderFor = (path: string): string => {
  const kind = extname(path).slice(1).toLowerCase()
  const folder = Object.hasOwn(FOLDERS, kind) ? FOLDERS[kind] : undefined
  if (folder !== undefined) return folder
  throw new StepFailure('FILE_REFUSED', `${path} has not the ending of a picture or a video`, {
    hint: `Name files that end in ${Object.keys(FOLDERS).join(', ')}.`,
  })
}

const scanWords = (path: string, sdk: number): string[] =>
  sdk >= STORE_SCANS_SDK
    ? ['content', 'call', '--uri', 'content://media', '--method', 'scan_file', '--arg', path]
    : ['am', 'broadcast', '-a', 'android.intent.action.MEDIA_SCANNER_SCAN_FILE', '-d', `file://${encodeURI(path)}`]

/** The store answers with the address of the file, or with none. */
const NO_ADDRESS = /\bSTREAM=null\b/

/** A gallery shows a file once the media store knows it. */
const scan = async (shell: DeviceShell, path: string, sdk: number): Promise<void> => {
  const answer = await shell.ask(commandLine(...scanWords(path, sdk)))
  const complaint = complaintOf(answer) ?? (NO_ADDRESS.test(answer.stdout) ? 'it knows no such file' : undefined)
  if (complaint === undefined) return
  throw new StepFailure('FILE_REFUSED', `${path} is on the device, and its media store refused it: ${complaint}`)
}

export const addMedia = async (
  { paths }: ParamsOf['add_media'],
  options: TransferOptions & { signal: AbortSignal },
): Promise<Record<string, string>> => {
  const targets = paths.map(from => ({ from, to: `${folderFor(from)}/${basename(from)}` }))
  const shell = deviceShell(options.link, options)
  const { stdout } = await shell.ask(commandLine('getprop', 'ro.build.version.sdk'))
  const added: string[] = []
  let bytes = 0
  for (const { from, to } of targets) {
    const sent = await pushFiles({ from, to, overwrite: true }, options)
    options.mayAct?.()
    await scan(shell, to, Number(stdout.trim()))
    added.push(to)
    bytes += Number(sent.bytes ?? 0)
  }
  return { paths: JSON.stringify(added), bytes: String(bytes), files: String(added.length) }
}
