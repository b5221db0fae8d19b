/** The servers of a home that listen on this machine: each writes its address into a file of the home while it runs. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { HOME_MODE } from '../contracts/limits.ts'
import { makeFolder } from './make-folder.ts'
import { isAlive, thisProcess } from './processes.ts'
import { parseObject, readSmall, writeAtomically } from './small-file.ts'

export interface AnnouncedServer {
  url: string
  /** Decides its devices and its journal, as `environmentOf` in src/daemon/identity.ts writes it. */
  environment: string
  pid: number
  startTime: string
}

const folderOf = (home: string): string => join(home, 'servers')

const isText = (value: unknown): value is string => typeof value === 'string'

const parse = (text: string | undefined): AnnouncedServer | undefined => {
  const { url, environment, pid, startTime } = parseObject(text) ?? {}
  if (!isText(url) || !URL.canParse(url) || !isText(environment)) return undefined
  return Number.isSafeInteger(pid) && isText(startTime) ? { url, environment, pid: Number(pid), startTime } : undefined
}

const lives = ({ pid, startTime }: AnnouncedServer): boolean => isAlive({ pid, started: startTime })

const filesIn = (folder: string): { path: string; server: AnnouncedServer | undefined }[] => {
  try {
    return readdirSync(folder)
      .filter(name => name.endsWith('.json'))
      .map(name => join(folder, name))
      .map(path => ({ path, server: parse(readSmall(path)) }))
  } catch {
    return []
  }
}

/** Those whose process lives; none where the folder cannot be read. */
export const announcedServers = (home: string): AnnouncedServer[] =>
  filesIn(folderOf(home)).flatMap(({ server }) => (server && lives(server) ? [server] : []))

/** The file is named by the process and its port, and those of dead processes are removed. Throws what the file system says. */
export const announceServer = (
  home: string,
  { url, environment }: Pick<AnnouncedServer, 'url' | 'environment'>,
): (() => void) => {
  const folder = folderOf(home)
  makeFolder(folder, HOME_MODE)
  for (const { path, server } of filesIn(folder)) if (!server || !lives(server)) rmSync(path, { force: true })
  const { pid, started } = thisProcess()
  const path = join(folder, `${pid}-${new URL(url).port}.json`)
  writeAtomically(path, `${JSON.stringify({ url, environment, pid, startTime: started })}\n`)
  return () => rmSync(path, { force: true })
}
