/** The pictures that looks of the viewer leave behind: in a folder of their own, and only the newest of them. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LOOKS_KEPT } from '../contracts/limits.ts'

export const lookFolder = (screenshots: string): string => join(screenshots, 'looks')

/** Matches the names that executions give to their own files: the id and the segment. */
const NAME = /^[0-9a-f-]{36}\.\d+\.png$/

/** Another server of the same home may delete at the same time. */
const writtenAt = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  )

/** Deletes all but the newest. */
export const pruneLooks = async (
  folder: string,
  note: (text: string) => void,
  most: number = LOOKS_KEPT,
): Promise<void> => {
  try {
    const names = await readdir(folder).catch(() => [])
    const found: { path: string; at: number }[] = []
    for (const name of names.filter(each => NAME.test(each))) {
      const path = join(folder, name)
      const at = await writtenAt(path)
      if (at !== undefined) found.push({ path, at })
    }
    found.sort((a, b) => b.at - a.at)
    for (const { path } of found.slice(most)) await rm(path, { force: true })
  } catch (error) {
    note(`old pictures of looks stay in ${folder}: ${error}`)
  }
}
