/** The servers of a home that listen on this machine: each writes its address into a file of the home while it runs. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { HOME_MODE } from '../../contracts/limits/limits.ts'
import { makeFolder } from '../files/make-folder.ts'
import { isOnlyOwnersToWrite } from '../files/owner-only.ts'
import { parseObject, readSmall, statOf, writeAtomically } from '../files/small-file.ts'
import { isAlive, thisProcess } from './processes.ts'

export interface AnnouncedServer {
  url: string
  /** Decides its devices and its journal, as `environmentOf` in src/surfaces/daemon/identity.ts writes it. */
  environment: string
  pid: number
  startTime: string
}

const folderOf = (home: string): string => join(home, 'servers')

const isText = (value: unknown): value is string => typeof value === 'string'

const LOOPBACK = /^(?:localhost|127\.[\d.]+|\[::1\])$/

/** Others are reached with a token, or over TLS, so nobody finds them by a file. */
export const isOnThisMachine = (url: string): boolean => {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : {}
  return protocol === 'http:' && hostname !== undefined && LOOPBACK.test(hostname)
}

/** Whoever can write an announcement leads the programs of this user to a server of theirs. */
const isOwn = (path: string): boolean => {
  const found = statOf(path)
  return found !== undefined && isOnlyOwnersToWrite(found)
}

const parse = (text: string | undefined): AnnouncedServer | undefined => {
  const { url, environment, pid, startTime } = parseObject(text) ?? {}
  if (!isText(url) || !isOnThisMachine(url) || !isText(environment)) return undefined
  return Number.isSafeInteger(pid) && isText(startTime) ? { url, environment, pid: Number(pid), startTime } : undefined
}

const lives = ({ pid, startTime }: AnnouncedServer): boolean => isAlive({ pid, started: startTime })

const filesIn = (folder: string): { path: string; server: AnnouncedServer | undefined }[] => {
  try {
    return readdirSync(folder)
      .filter(name => name.endsWith('.json'))
      .map(name => join(folder, name))
      .map(path => ({ path, server: isOwn(path) ? parse(readSmall(path)) : undefined }))
  } catch {
    return []
  }
}

/** Lists the servers of this user whose process lives. A folder that cannot be read, or that other users can write, lists none. */
export const announcedServers = (home: string): AnnouncedServer[] =>
  isOwn(folderOf(home))
    ? filesIn(folderOf(home)).flatMap(({ server }) => (server && lives(server) ? [server] : []))
    : []

/** The file is named by the process and its port, and those of dead processes are removed. Throws what the file system says. */
export const announceServer = (
  home: string,
  { url, environment }: Pick<AnnouncedServer, 'url' | 'environment'>,
): (() => void) => {
  const folder = folderOf(home)
  makeFolder(folder, HOME_MODE)
  if (!isOwn(folder)) throw new Error(`${folder} is not a folder that this user alone can write`)
  for (const { path, server } of filesIn(folder)) if (!server || !lives(server)) rmSync(path, { force: true })
  const { pid, started } = thisProcess()
  const path = join(folder, `${pid}-${new URL(url).port}.json`)
  writeAtomically(path, `${JSON.stringify({ url, environment, pid, startTime: started })}\n`)
  return () => rmSync(path, { force: true })
}
