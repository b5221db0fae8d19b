/** pull_file: a file or a folder of a device, written beside its place on the host, compared, and then renamed. */
import { join, posix } from 'node:path'
import { TRANSFER_FILES_MAX } from '../../contracts/limits/transfer-limits.ts'
import { rightsAt } from '../../runtime/file-rights.ts'
import { LinkError } from '../link/link.ts'
import { StepFailure } from '../screen/step-failure.ts'
import type { DeviceEntry } from './device-entries.ts'
import { type DeviceFiles, openDeviceFiles, refusedAsChanged, refusedAsNamed, refusedBy } from './device-files.ts'
import { followTransfer, type TransferCourse } from './failed-transfer.ts'
import { refusedOnHost } from './host-files.ts'
import {
  freeOnHost,
  type HostPlace,
  isOccupied,
  makeFolders,
  withDraft,
  withHostPlace,
  writeNew,
} from './host-target.ts'
import type { TransferOptions } from './push-files.ts'
import { putInPlace, refuseClashes } from './replace-target.ts'
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

interface PullParams {
  from: string
  to: string
  applicationId?: string | undefined
  overwrite: boolean
}

const CHANGED = 'what arrived is not what the device has: it may have been changed meanwhile'

interface Remote {
  kind: 'file' | 'folder'
  /** The paths of its files from there; one that is empty for a single file. */
  files: readonly Pick<DeviceEntry, 'path' | 'size'>[]
  folders: readonly string[]
  bytes: number
}

const refuseSpecial = (from: string, { path, kind, isNamed }: DeviceEntry) => {
  const shownPath = path === '' ? from : posix.join(from, path)
  if (!isNamed) throw refusedAsNamed(shownPath, 'its name is no UTF-8')
  if (kind !== 'file' && kind !== 'folder')
    throw refusedAsNamed(shownPath, `it is a ${kind}, and only plain files and folders are transferred`)
}

/** A link is followed only where it leads to a folder, such as /sdcard itself. */
const remoteAt = async (device: DeviceFiles, from: string): Promise<Remote> => {
  const itself = await device.facts(from)
  const there = itself?.kind === 'link' ? await device.facts(from, { follows: true }) : itself
  if (!itself || !there) throw new StepFailure('FILE_NOT_FOUND', `the device has no ${from}`)
  if (itself.kind === 'link' && there.kind !== 'folder') refuseSpecial(from, { ...itself, path: '' })
  refuseSpecial(from, { ...there, path: '' })
  if (there.kind === 'file')
    return { kind: 'file', files: [{ path: '', size: there.size }], folders: [], bytes: there.size }
  const entries = await device.list(from, { most: 2 * TRANSFER_FILES_MAX })
  for (const entry of entries) refuseSpecial(from, entry)
  const files = entries.filter(({ kind }) => kind === 'file')
  const folders = entries.filter(({ kind }) => kind === 'folder').map(({ path }) => path)
  if (files.length > TRANSFER_FILES_MAX || folders.length > TRANSFER_FILES_MAX)
    throw refusedAsNamed(from, `it has more than ${TRANSFER_FILES_MAX} files or folders`)
  return { kind: 'folder', files, folders, bytes: files.reduce((sum, { size }) => sum + size, 0) }
}

const refuseTooLarge = async (place: HostPlace, bytes: number) => {
  const free = await freeOnHost(place)
  if (free !== undefined && bytes > free)
    throw refusedOnHost(place.path, `${byteWords(bytes)} do not fit: ${byteWords(free)} are free on this host`)
}

interface Pull {
  device: DeviceFiles
  from: string
  remote: Remote
  place: HostPlace
  draft: string
  progress: Progress
  options: TransferOptions
}

type Asked = Pick<Pull, 'device' | 'from' | 'remote' | 'options'> & { overwrite: boolean; course: TransferCourse }

/** Turns what `cat` says of a file that has gone, or is closed to it, into a StepFailure. */
const readable = async function* (path: string, chunks: AsyncIterable<Uint8Array>) {
  try {
    yield* chunks
  } catch (error) {
    if (!(error instanceof LinkError) || error.code !== 'LINK_SOCKET_REFUSED') throw error
    throw refusedBy(path, error.message.replace(/^the device refuses: (?:cat: )?/, ''))
  }
}

/** Fetches every file below the draft; answers their digests by their paths, and how many bytes they are. */
const fetchAll = async ({ device, from, remote, place, draft, progress, options }: Pull) => {
  const { fileRoots, signal, ownerOnlyIn } = options
  const mode = rightsAt(place.path, ownerOnlyIn).file
  const digests = new Map<string, string>()
  let bytes = 0
  await eachAtOnce(remote.files, signal, async ({ path, size }, stop) => {
    const source = path === '' ? from : posix.join(from, path)
    const read = hashing(readable(source, device.read(source, size, stop)), progress)
    await writeNew({ at: join(draft, path), path: join(place.path, path), mode }, read.chunks, fileRoots)
    digests.set(path, read.digest())
    bytes += read.bytes()
  })
  return { digests, bytes }
}

const compare = async ({ device, from, remote }: Pull, digests: ReadonlyMap<string, string>) => {
  if (remote.kind === 'file') {
    const theirs = await device.digestOf(from)
    if (theirs !== undefined && theirs !== digests.get('')) throw refusedAsChanged(from, CHANGED)
    return
  }
  const theirs = await device.digestsBelow(from)
  const different = theirs && firstDifference(digests, theirs)
  if (different !== undefined) throw refusedAsChanged(posix.join(from, different), CHANGED)
}

const pullTo = async (place: HostPlace, { device, from, remote, overwrite, options, course }: Asked) => {
  const { fileRoots, mayAct, told: tellProgress } = options
  const files = remote.files.map(({ path }) => path)
  const { kind, folders } = remote
  if ((await isOccupied(place, { kind, overwrite })) && kind === 'folder')
    await refuseClashes(place, { files, folders })
  await refuseTooLarge(place, remote.bytes)
  const progress = progressOver(`fetching ${posix.basename(from)}`, remote.bytes, tellProgress)
  Object.assign(course, { target: place.path, total: remote.bytes, done: progress.done })
  mayAct?.()
  const fetch = async (draft: string) => {
    const pull: Pull = { device, from, remote, place, draft, progress, options }
    const mode = rightsAt(place.path, options.ownerOnlyIn).folder
    if (kind === 'folder') await makeFolders({ at: draft, path: place.path, mode }, folders, fileRoots)
    const { digests, bytes } = await fetchAll(pull)
    await compare(pull, digests)
    await putInPlace(place, { kind, draft, files, folders }, { overwrite, roots: fileRoots })
    const sha256 = kind === 'file' ? (digests.get('') ?? '') : folderDigest(digests)
    return transferData({ path: place.path, bytes, sha256, files: files.length })
  }
  return withDraft(place, fileRoots, fetch, options.draftOwners)
}

const pull = async (params: PullParams, options: TransferOptions, course: TransferCourse) => {
  const { to, applicationId, overwrite } = params
  const from = posix.normalize(params.from).replace(/(?<=.)\/+$/, '')
  const device = await openDeviceFiles(applicationId, options)
  const remote = await remoteAt(device, from)
  const request: Asked = { device, from, remote, overwrite, options, course }
  return withHostPlace({ to, name: posix.basename(from) }, options.fileRoots, place => pullTo(place, request))
}

/** Files are put in their places without the link, so that it never fails while the target is being changed. */
export const pullFiles = (params: PullParams, options: TransferOptions): Promise<Record<string, string>> =>
  followTransfer({ verb: 'fetched', target: params.to }, options, course => pull(params, options, course))
