import { existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type DaemonPaths, daemonPaths } from '../../../src/surfaces/daemon/paths.ts'
import {
  draftSocket,
  isInPlace,
  nameSocket,
  removeSocket,
  removeStaleSocket,
  socketObstacle,
  stampOf,
  sweepDrafts,
} from '../../../src/surfaces/daemon/socket-file.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-socket-')
let servers: Server[] = []
let paths: DaemonPaths
let count = 0

beforeEach(() => {
  paths = daemonPaths(join(folder(), `${count++}`), undefined)
  mkdirSync(paths.directory, { recursive: true })
})

afterEach(() => {
  for (const server of servers) server.close()
  servers = []
})

const bind = async (instance: string) => {
  const draft = draftSocket(paths, instance)
  const server = createServer()
  servers.push(server)
  await new Promise<void>(resolve => server.listen(draft, resolve))
  return { draft, close: () => new Promise(resolve => server.close(resolve)) }
}

const named = (draft: string) => {
  const file = nameSocket(draft, paths.socket)
  if ('problem' in file) throw new Error(file.problem)
  return file
}

describe('a socket', () => {
  test('gets its name in one step, and the name outlives the closing of another server', async () => {
    const first = await bind('11111111-x')
    const file = named(first.draft)
    expect([existsSync(first.draft), isInPlace(paths.socket, file)]).toEqual([false, true])
    await first.close()
    expect(existsSync(paths.socket)).toBe(true)
    removeSocket(paths.socket, file)
    expect(existsSync(paths.socket)).toBe(false)
  })

  test('takes nobody’s place', async () => {
    named((await bind('11111111-x')).draft)
    const stamp = stampOf(paths.socket)
    expect(nameSocket((await bind('22222222-x')).draft, paths.socket)).toHaveProperty('problem')
    expect(stampOf(paths.socket)).toBe(stamp)
  })

  test('of a successor is not removed', async () => {
    const file = named((await bind('11111111-x')).draft)
    removeStaleSocket(paths.socket, stampOf(paths.socket))
    const next = named((await bind('22222222-x')).draft)
    removeSocket(paths.socket, file)
    expect([isInPlace(paths.socket, file), isInPlace(paths.socket, next)]).toEqual([false, true])
  })

  test('that was put there since the look is not stale', async () => {
    named((await bind('11111111-x')).draft)
    const before = stampOf(paths.socket)
    removeStaleSocket(paths.socket, before)
    named((await bind('22222222-x')).draft)
    expect(removeStaleSocket(paths.socket, before)).toBeUndefined()
    expect(existsSync(paths.socket)).toBe(true)
  })
})

describe('what is in the way', () => {
  test.each([
    ['a file', () => writeFileSync(paths.socket, 'mine')],
    ['a directory', () => mkdirSync(paths.socket)],
    ['a link', () => symlinkSync('/nowhere', paths.socket)],
  ])('%s stays', (_, put) => {
    put()
    expect(socketObstacle(paths.socket)).toContain('is not a socket')
    expect(removeStaleSocket(paths.socket, stampOf(paths.socket))).toContain('is not a socket')
    expect(stampOf(paths.socket)).toBeDefined()
  })

  test('nothing, or a socket, is not an obstacle', async () => {
    expect(socketObstacle(paths.socket)).toBeUndefined()
    named((await bind('11111111-x')).draft)
    expect(socketObstacle(paths.socket)).toBeUndefined()
  })
})

test('old drafts are swept, and nothing else', async () => {
  const now = Date.now()
  const [old, fresh] = [await bind('11111111-x'), await bind('22222222-x')]
  for (const path of [old.draft, join(paths.directory, '.33333333.s'), join(paths.directory, 'mine.s')]) {
    if (path !== old.draft) writeFileSync(path, 'mine')
    utimesSync(path, now / 1_000 - 120, now / 1_000 - 120)
  }
  sweepDrafts(paths, now)
  expect([existsSync(old.draft), existsSync(fresh.draft)]).toEqual([false, true])
  expect(readFileSync(join(paths.directory, '.33333333.s'), 'utf8')).toBe('mine')
  expect(existsSync(join(paths.directory, 'mine.s'))).toBe(true)
})

test('a draft is never longer than the socket it becomes', () => {
  expect(draftSocket(paths, '01234567-89ab').length).toBeLessThan(paths.socket.length)
})
