/** Lists a folder of a device, or a single file of it. */
import { posix } from 'node:path'
import type { ListedFile } from '../../contracts/device/device-files.ts'
import { TRANSFER_FILES_MAX } from '../../contracts/limits/transfer-limits.ts'
import { StepFailure } from '../screen/step-failure.ts'
import type { DeviceEntry } from './device-entries.ts'
import { type DeviceFilesOptions, openDeviceFiles, refusedAsNamed } from './device-files.ts'

const MS_PER_SECOND = 1_000

const modeText = (mode: number): string =>
  [6, 3, 0].flatMap(shift => [...'rwx'].map((letter, at) => ((mode >> shift) & (4 >> at) ? letter : '-'))).join('')

const listed = ({ path, kind, size, mode, mtime }: DeviceEntry): ListedFile => ({
  name: posix.basename(path),
  kind,
  ...(kind === 'file' ? { bytes: size } : {}),
  mode: modeText(mode),
  modifiedAt: mtime * MS_PER_SECOND,
})

/** By name. A link to a folder is listed as that folder. Throws a StepFailure. */
export const listFiles = async (
  { path, applicationId }: { path: string; applicationId?: string | undefined },
  options: DeviceFilesOptions,
): Promise<ListedFile[]> => {
  if (applicationId === undefined && !path.startsWith('/')) throw refusedAsNamed(path, 'it must begin with /')
  if (path.includes('\0')) throw refusedAsNamed(path.replaceAll('\0', '?'), 'a path cannot hold a NUL character')
  const plain = posix.normalize(path).replace(/(?<=.)\/+$/, '')
  const device = await openDeviceFiles(applicationId, options)
  const itself = await device.facts(plain)
  const there = itself?.kind === 'link' ? ((await device.facts(plain, { follows: true })) ?? itself) : itself
  if (!itself || !there) throw new StepFailure('FILE_NOT_FOUND', `the device has no ${path}`)
  if (there.kind !== 'folder') return [listed(itself)]
  const entries = await device.list(plain, { depth: 1, most: TRANSFER_FILES_MAX })
  if (entries.length > TRANSFER_FILES_MAX) throw refusedAsNamed(path, `it has more than ${TRANSFER_FILES_MAX} entries`)
  return entries.map(listed).sort((one, other) => (one.name < other.name ? -1 : 1))
}
