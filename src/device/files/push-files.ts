/** push_file: a file or a folder of the host, written beside its place on the device, compared, and then renamed. */
import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import type { TellProgress } from '../../contracts/records/actor.ts'
import { StepFailure } from '../screen/step-failure.ts'
import type { DeviceEntry } from './device-entries.ts'
import {
  type DeviceFiles,
  type DeviceFilesOptions,
  openDeviceFiles,
  pathWord,
  refusedAsChanged,
  refusedAsFull,
  refusedAsNamed,
} from './device-files.ts'
import { followTransfer, type TransferCourse } from './failed-transfer.ts'
import type { FileRoots } from './file-roots.ts'
import type { DraftOwners } from './host-drafts.ts'
import { bytesOf, type Source, sourceOf } from './host-files.ts'
import {
  byteWords,
  eachAtOnce,
  firstDifference,
  folderDigest,
  hashing,
  type Progress,
  progressOver,
  transferData,
} from './transfer.ts'

export interface TransferOptions extends DeviceFilesOptions {
  signal: AbortSignal
  mayAct?: (() => void) | undefined
  told?: TellProgress | undefined
  fileRoots?: FileRoots
  /** The processes of this machine unless told. */
  draftOwners?: DraftOwners | undefined
  /** The folder below which new files are their user's alone. */
  ownerOnlyIn?: string | undefined
}

interface PushParams {
  from: string
  to: string
  applicationId?: string | undefined
  overwrite: boolean
}

const CLASH_HINT = 'Remove what is there first, or name another path.'
const MISMATCH = 'what arrived is not what was sent'
const TRIMMED = /(?<=.)\/+$/
const NAME_HEX_CHARS = 16

/** Always the same for a place: what a lost link has left of an earlier transfer is replaced by the next one. */
const draftOf = (target: string): string => {
  const name = createHash('sha256').update(target).digest('hex').slice(0, NAME_HEX_CHARS)
  return posix.join(posix.dirname(target), `.svc-${name}`)
}

/** Into a folder that is there, and to the path itself where there is none, as `adb push` does. */
const targetFor = async (device: DeviceFiles, to: string, name: string): Promise<string> => {
  const plain = to.replace(TRIMMED, '')
  const isFolder = to.endsWith('/') || (await device.facts(plain, { follows: true }))?.kind === 'folder'
  return isFolder ? posix.join(plain, name) : posix.normalize(plain)
}

const refuseOccupied = (target: string, there: DeviceEntry | undefined, source: Source, overwrite: boolean): void => {
  if (!there) return
  if (there.kind !== 'file' && there.kind !== 'folder')
    throw refusedAsNamed(target, `it is a ${there.kind} on the device, and only plain files and folders are replaced`)
  if (there.kind !== source.kind)
    throw new StepFailure(
      'FILE_EXISTS',
      `${target} is a ${there.kind} on the device, and ${source.name} is a ${source.kind}`,
      { hint: CLASH_HINT },
    )
  if (!overwrite) throw new StepFailure('FILE_EXISTS', `${target} is on the device already`)
}

/** The folders that have to be made for it, the deepest first, and the one above them. */
const missingAbove = async (device: DeviceFiles, target: string) => {
  const missing: string[] = []
  for (let folder = posix.dirname(target); ; folder = posix.dirname(folder)) {
    const there = await device.facts(folder, { follows: true })
    if (there && there.kind !== 'folder')
      throw refusedAsNamed(folder, `it is a ${there.kind} on the device, not a folder`)
    if (there || folder === posix.dirname(folder)) return { missing, above: folder }
    missing.push(folder)
  }
}

const refuseTooLarge = async (device: DeviceFiles, folder: string, bytes: number) => {
  const free = await device.freeBytes(folder)
  if (free === undefined || bytes <= free) return
  throw refusedAsFull('the device', `${byteWords(bytes)} do not fit: ${byteWords(free)} are free at ${folder}`)
}

interface Push {
  device: DeviceFiles
  source: Source
  draft: string
  progress: Progress
  options: TransferOptions
}

/** Sends every file below the draft; answers their digests by their paths. */
const sendAll = async ({ device, source, draft, progress, options }: Push): Promise<Map<string, string>> => {
  const { signal, mayAct, fileRoots } = options
  const digests = new Map<string, string>()
  await eachAtOnce(source.files, signal, async (file, stop) => {
    mayAct?.()
    const { chunks, digest } = hashing(bytesOf(file, fileRoots), progress)
    const { size, mode, mtime } = file
    const path = file.path === '' ? draft : `${draft}/${file.path}`
    await device.write(path, chunks, { size, mode, mtime, signal: stop })
    digests.set(file.path, digest())
  })
  return digests
}

const compare = async ({ device, source, draft }: Push, digests: ReadonlyMap<string, string>) => {
  if (source.kind === 'file') {
    const arrived = await device.digestOf(draft)
    if (arrived !== undefined && arrived !== digests.get('')) throw refusedAsChanged(source.name, MISMATCH)
    return
  }
  const arrived = await device.digestsBelow(draft)
  const different = arrived && firstDifference(digests, arrived)
  if (different !== undefined) throw refusedAsChanged(different, MISMATCH)
}

/** Where both sides have a folder of one name they become one; a file does not take the place of a folder. */
const refuseClashes = async (device: DeviceFiles, target: string, { files, folders }: Source) => {
  const there = await device.list(target, { most: Number.POSITIVE_INFINITY })
  const kinds = new Map(there.map(({ path, kind }) => [path, kind]))
  const clash = (path: string, wanted: 'file' | 'folder') => {
    const kind = kinds.get(path)
    if (kind === undefined || kind === wanted) return
    throw new StepFailure(
      'FILE_EXISTS',
      `${target}/${path} is a ${kind} on the device, and a ${wanted} is to come there`,
      { hint: CLASH_HINT },
    )
  }
  for (const { path } of files) clash(path, 'file')
  for (const path of folders) clash(path, 'folder')
}

/** Once all has arrived: a new folder in one step, into one that is there file by file. */
const putInPlace = async ({ device, source, draft }: Push, target: string, isThere: boolean) => {
  const move = (from: string, to: string) => `mv -f ${pathWord(from)} ${pathWord(to)}`
  if (source.kind === 'file' || !isThere) {
    await device.insist(move(draft, target), target)
    return
  }
  const folders = source.folders.map(path => `mkdir -p ${pathWord(`${target}/${path}`)}`)
  const files = source.files.map(({ path }) => move(`${draft}/${path}`, `${target}/${path}`))
  await device.script([...folders, ...files, `rm -rf ${pathWord(draft)}`], target)
}

const push = async (params: PushParams, options: TransferOptions, course: TransferCourse) => {
  const { from, to, applicationId, overwrite } = params
  const { mayAct = () => {}, fileRoots, signal, told: tellProgress } = options
  const source = await sourceOf(from, fileRoots, signal)
  const device = await openDeviceFiles(applicationId, options)
  const target = await targetFor(device, to, source.name)
  const there = await device.facts(target)
  refuseOccupied(target, there, source, overwrite)
  if (there?.kind === 'folder') await refuseClashes(device, target, source)
  const { missing, above } = await missingAbove(device, target)
  await refuseTooLarge(device, above, source.bytes)
  const draft = draftOf(target)
  const progress = progressOver(`sending ${source.name}`, source.bytes, tellProgress)
  Object.assign(course, { target, total: source.bytes, done: progress.done })
  const sending: Push = { device, source, draft, progress, options }
  try {
    mayAct()
    const folders = source.kind === 'folder' ? [draft, ...source.folders.map(path => `${draft}/${path}`)] : []
    const made = [posix.dirname(target), ...folders].map(path => `mkdir -p ${pathWord(path)}`)
    await device.script([`rm -rf ${pathWord(draft)}`, ...made], posix.dirname(target))
    const digests = await sendAll(sending)
    await compare(sending, digests)
    mayAct()
    course.isChanging = true
    await putInPlace(sending, target, there !== undefined)
    const sha256 = source.kind === 'file' ? (digests.get('') ?? '') : folderDigest(digests)
    const [folder] = missing
    return {
      ...transferData({ path: target, bytes: source.bytes, sha256, files: source.files.length }),
      ...(folder === undefined ? {} : { made_folder: folder }),
    }
  } catch (error) {
    const emptied = missing.length === 0 ? '' : `; rmdir ${missing.map(pathWord).join(' ')}`
    await device.tidy(`rm -rf ${pathWord(draft)}${emptied}`)
    throw error
  }
}

export const pushFiles = (params: PushParams, options: TransferOptions): Promise<Record<string, string>> =>
  followTransfer({ verb: 'sent', target: params.to }, options, course => push(params, options, course))
