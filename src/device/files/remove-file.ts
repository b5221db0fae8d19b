/** remove_file: a file, or a folder with all that is in it, but nothing that the device itself is made of. */
import { posix } from 'node:path'
import { StepFailure } from '../screen/step-failure.ts'
import { openDeviceFiles, pathWord, refusedAsNamed } from './device-files.ts'
import type { TransferOptions } from './push-files.ts'

interface RemoveParams {
  path: string
  applicationId?: string | undefined
  recursive: boolean
}

/** Folders that are never removed as a whole; `*` is one name. */
const KEPT: readonly RegExp[] = [
  '/*',
  '/data/*',
  '/data/local/tmp',
  '/data/(data|app|media|user|user_de)/*',
  '/data/(user|user_de)/*/*',
  '/data/media/*/Android',
  '/mnt/*',
  '/mnt/*/*',
  '/storage/*',
  '/storage/(emulated|self)/*',
  '/storage/emulated/*/(Android|DCIM|Download|Pictures|Movies|Music|Documents)',
  '/storage/emulated/*/Android/(data|media|obb)',
  '/sdcard/(Android|DCIM|Download|Pictures|Movies|Music|Documents)',
  '/sdcard/Android/(data|media|obb)',
].map(pattern => new RegExp(`^${pattern.replaceAll('*', '[^/]*')}$`))

/** The shared storage takes `download` for `Download`; a name that differs there only in its case is the same folder. */
const FOLDED = /^\/(?:sdcard|storage|mnt|data\/media)(?:\/|$)/i
const KEPT_FOLDED = KEPT.map(pattern => new RegExp(pattern, 'i'))

const isKept = (path: string): boolean =>
  path === '/' || (FOLDED.test(path) ? KEPT_FOLDED : KEPT).some(pattern => pattern.test(path))

const REMOVE_MS = 60_000

/** Judged by the name that was given and by where it really is. */
const refuseRoot = (path: string, real: string): void => {
  for (const each of [path, real])
    if (each.startsWith('/') && isKept(each))
      throw refusedAsNamed(each, 'this folder belongs to the device: name what is in it')
}

export const removeFile = async (params: RemoveParams, options: TransferOptions): Promise<Record<string, string>> => {
  const { applicationId, recursive } = params
  if (params.path.split('/').includes('..')) throw refusedAsNamed(params.path, 'a path that goes up cannot be removed')
  const path = posix.normalize(params.path).replace(/(?<=.)\/+$/, '')
  if (path === '.') throw refusedAsNamed(params.path, 'the folder of an application is not removed as a whole')
  refuseRoot(path, path)
  const device = await openDeviceFiles(applicationId, options)
  const there = await device.facts(path)
  if (!there) throw new StepFailure('FILE_NOT_FOUND', `the device has no ${path}`)
  if (there.kind !== 'file' && there.kind !== 'folder')
    throw refusedAsNamed(path, `it is a ${there.kind}, and only plain files and folders are removed`)
  if (there.kind === 'folder' && !recursive)
    throw new StepFailure('FILE_REFUSED', `${path} is a folder`, {
      hint: 'Use `recursive` to remove it with all that is in it.',
    })
  // The last part may have become a link since: `rm` removes what is there under the name in its folder, and both are judged.
  for (const [named, rest] of [
    [posix.dirname(path), posix.basename(path)],
    [path, ''],
  ] as const) {
    const { stdout } = await device.insist(`realpath ${pathWord(named)}`, path)
    refuseRoot(path, posix.join(stdout.replace(/\n$/, ''), rest))
  }
  options.mayAct?.()
  const { clock, deadline, signal } = options
  const call = { deadline: Math.min(deadline, clock.now() + REMOVE_MS), signal }
  await device.insist(`rm ${recursive ? '-r ' : ''}-f ${pathWord(path)}`, path, call)
  if (await device.facts(path)) throw refusedAsNamed(path, 'the device says that it was removed, but it is still there')
  return { path }
}
