/** A path of the device as Appium writes it: absolute, or `@package/path` in the folder of an application. */
import { invalid } from '../protocol/arguments.ts'

interface DevicePlace {
  readonly path: string
  /** As the actions on files take it. */
  readonly applicationId: { readonly applicationId?: string }
}

const OF_APP = /^@([\w.]+)\/(.+)$/s

/** Removing a file heeds the same: with links in between, such a path leads elsewhere than it says. */
const goesUp = (path: string): boolean => path.split('/').includes('..')

export const devicePlace = (remotePath: string, kind: 'file' | 'folder'): DevicePlace => {
  if (kind === 'file' && remotePath.endsWith('/'))
    throw invalid(`The path ${remotePath} names a folder. Expected the path of a file.`)
  if (goesUp(remotePath)) throw invalid(`The path ${remotePath} goes up by "..". Name the place itself.`)
  const [, applicationId, path] = OF_APP.exec(remotePath) ?? []
  if (applicationId !== undefined && path !== undefined) return { path, applicationId: { applicationId } }
  if (remotePath.startsWith('/')) return { path: remotePath, applicationId: {} }
  throw invalid(`The path ${remotePath} must begin with /, or with @ and the package of a debuggable application.`)
}
