/** Everything in a folder: kind, mode, time and content of each entry, by its path in there. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

export const treeOf = (folder: string, at = '.'): Record<string, string> => {
  const path = join(folder, at)
  const facts = lstatSync(path, { throwIfNoEntry: false })
  if (!facts) return {}
  const said = `${(facts.mode & 0o777).toString(8)} ${facts.mtimeMs}`
  if (facts.isSymbolicLink()) return { [at]: `link ${readlinkSync(path)} ${facts.mtimeMs}` }
  if (!facts.isDirectory()) return { [at]: `file ${said} ${readFileSync(path).toString('base64')}` }
  const inside = readdirSync(path).map(name => treeOf(folder, join(at, name)))
  return Object.assign({ [at]: `folder ${said}` }, ...inside)
}
