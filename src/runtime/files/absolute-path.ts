/** A path as the caller in a folder means it. A slash at its end says that it is a folder, and `resolve` alone would lose it. */
import { resolve } from 'node:path'

export const absolutePath = (folder: string, path: string): string => {
  const resolved = resolve(folder, path)
  return path.endsWith('/') && !resolved.endsWith('/') ? `${resolved}/` : resolved
}
