/** The `mobile:` methods about files of the device, which travel as base64 through temporary files of this host. */

import { mobileMethod } from '../commands/command.ts'
import { base64Of, bytesOf, invalid, oneOrMore, optional, someText, text } from '../protocol/arguments.ts'
import { outcomeOf } from '../session/live-session.ts'
import { inOwnFolder, makeFile, readPulledFile, zipOfFolder } from '../session/temporary-folder.ts'

// A path of the device as Appium writes it: absolute, or `@package/path` in the folder of an application.

interface DevicePlace {
  readonly path: string
  /** The form that actions on files take. */
  readonly applicationId: { readonly applicationId?: string }
}

const OF_APP = /^@([\w.]+)\/(.+)$/s

/** Removing a file heeds the same: with links in between, such a path leads elsewhere than it says. */
const goesUp = (path: string): boolean => path.split('/').includes('..')

const devicePlace = (remotePath: string, kind: 'file' | 'folder'): DevicePlace => {
  if (kind === 'file' && remotePath.endsWith('/'))
    throw invalid(`The path ${remotePath} names a folder. Expected the path of a file.`)
  if (goesUp(remotePath)) throw invalid(`The path ${remotePath} goes up by "..". Name the place itself.`)
  const [, applicationId, path] = OF_APP.exec(remotePath) ?? []
  if (applicationId !== undefined && path !== undefined) return { path, applicationId: { applicationId } }
  if (remotePath.startsWith('/')) return { path: remotePath, applicationId: {} }
  throw invalid(`The path ${remotePath} must begin with /, or with @ and the package of a debuggable application.`)
}

/** Up to 64 MiB over a cable of some megabytes a second. */
export const TRANSFER_MS = 120_000
const OWN = { timeoutMs: TRANSFER_MS, ownFiles: true } as const

export const pushFile = mobileMethod({
  name: 'pushFile',
  summary:
    'Writes a file of the device. payload is base64; @package/path is in the folder of a debuggable application.',
  args: { remotePath: someText, payload: text },
  async run(session, { remotePath, payload }) {
    const { path, applicationId } = devicePlace(remotePath, 'file')
    const bytes = bytesOf(payload, 'payload')
    await inOwnFolder(async folder => {
      const from = await makeFile(folder, bytes)
      await session.act([{ type: 'push_file', params: { from, to: path, ...applicationId } }], OWN)
    })
    return null
  },
})

export const pullFile = mobileMethod({
  name: 'pullFile',
  summary: 'Answers a file of the device as base64.',
  args: { remotePath: someText },
  run(session, { remotePath }) {
    const { path, applicationId } = devicePlace(remotePath, 'file')
    return inOwnFolder(async folder => {
      const to = `${folder}/pulled`
      await session.act([{ type: 'pull_file', params: { from: path, to, ...applicationId } }], OWN)
      return base64Of(await readPulledFile(to, remotePath))
    })
  },
})

export const pullFolder = mobileMethod({
  name: 'pullFolder',
  summary: 'Answers a folder of the device as a zip, in base64.',
  args: { remotePath: someText },
  run(session, { remotePath }) {
    const { path, applicationId } = devicePlace(remotePath, 'folder')
    return inOwnFolder(async folder => {
      const to = `${folder}/pulled`
      await session.act([{ type: 'pull_file', params: { from: path, to, ...applicationId } }], OWN)
      return base64Of(await zipOfFolder(to, remotePath))
    })
  },
})

export const deleteFile = mobileMethod({
  name: 'deleteFile',
  summary: 'Removes files of the device; answers false where there was none.',
  args: { remotePath: optional(someText), remotePaths: optional(oneOrMore) },
  async run(session, { remotePath, remotePaths = [] }) {
    const places = [...(remotePath === undefined ? [] : [remotePath]), ...remotePaths]
    const steps = places.map(place => {
      const { path, applicationId } = devicePlace(place, 'file')
      return { type: 'remove_file', params: { path, ...applicationId } }
    })
    return (await outcomeOf(session, steps, ['FILE_NOT_FOUND'])).ok
  },
})

export const FILE_METHODS = [pushFile, pullFile, pullFolder, deleteFile]
