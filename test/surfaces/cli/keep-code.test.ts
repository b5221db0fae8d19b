/** The folder of compiled code: whom it is trusted from, how much is in it, and what happens where it cannot be written. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { beforeEach, describe, expect, test } from 'vitest'
import { CODE_CACHE_BYTES_MAX, CODE_CACHE_FILES_MAX } from '../../../src/contracts/limits/limits.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import {
  codeFolder,
  codeOrigin,
  codePath,
  isTrustedFolder,
  nodeBuild,
  readCode,
} from '../../../src/surfaces/cli/code-cache.ts'
import { keepCode, type LoadedPiece } from '../../../src/surfaces/cli/keep-code.ts'
import { temporary } from '../../support/temporary.ts'

const place = temporary('svc-kept-code-')
const clock = systemClock()
const source = Buffer.from('(() => { const used = () => 1; used() })()')
const origin = codeOrigin(source, nodeBuild())
const DAY_MS = 24 * 60 * 60 * 1_000
const MODE = 0o777

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(place(), 'home-')), 'cache')
})

const pathOf = (name = 'piece.cjs') => codePath(folder, name, origin)

const piece = (more: Partial<LoadedPiece> = {}): LoadedPiece => {
  const script = new Script(source.toString())
  script.runInThisContext()
  return { path: pathOf(), origin, sourceBytes: source.length, script, keptBytes: 0, lookedAtMs: 0, ...more }
}

const keep = (pieces: readonly LoadedPiece[] = [piece()], isTime = () => true) =>
  keepCode(pieces, { folder, clock, isTime })

const modeOf = (path: string) => statSync(path).mode & MODE

/** Makes it old, by as many days. */
const age = (path: string, days: number) => {
  const at = new Date(clock.now() - days * DAY_MS)
  utimesSync(path, at, at)
}

test('is written for its owner alone, and read back for its source and Node', async () => {
  await keep()
  expect([modeOf(folder), modeOf(pathOf())]).toEqual([0o700, 0o600])
  expect(readdirSync(folder)).toHaveLength(1)
  const code = readCode(pathOf(), origin)?.code
  expect(new Script(source.toString(), { ...(code ? { cachedData: code } : {}) }).cachedDataRejected).toBe(false)
  expect(readCode(pathOf(), codeOrigin(source, 'v0.0.0'))).toBeUndefined()
  expect(readCode(pathOf(), codeOrigin(Buffer.from(`${source}`.replace('1', '2')), nodeBuild()))).toBeUndefined()
})

test('each build of Node has files of its own', () => {
  expect(codePath(folder, 'piece.cjs', codeOrigin(source, 'v0.0.0'))).not.toBe(pathOf())
})

test('is in the home, or where SVC_CACHE_DIR says; with a blank one nowhere', () => {
  expect(codeFolder({ SVC_HOME: '/h' })).toBe('/h/cache')
  expect(codeFolder({ HOME: '/u' })).toBe('/u/.svc/cache')
  expect(codeFolder({ HOME: '/u', SVC_CACHE_DIR: '/c' })).toBe('/c')
  const none = [{ HOME: '/u', SVC_CACHE_DIR: '' }, { HOME: '/u', SVC_HOME: '' }, { SVC_HOME: 'h' }]
  expect(none.map(codeFolder)).toEqual(none.map(() => undefined))
})

test('a file that is cut off is replaced', async () => {
  await keep()
  truncateSync(pathOf(), statSync(pathOf()).size - 1)
  expect(readCode(pathOf(), origin)).toBeUndefined()
  await keep()
  expect(readCode(pathOf(), origin)).toBeDefined()
})

describe('what others may have written is not used', () => {
  beforeEach(() => keep())

  test.each([0o620, 0o602])('a file of mode %o, which is replaced', async mode => {
    chmodSync(pathOf(), mode)
    expect(readCode(pathOf(), origin)).toBeUndefined()
    await keep()
    expect(readCode(pathOf(), origin)).toBeDefined()
    expect(modeOf(pathOf())).toBe(0o600)
  })

  test.each([0o770, 0o707])('a folder of mode %o, to which nothing is added', async mode => {
    chmodSync(folder, mode)
    expect(isTrustedFolder(folder)).toBe(false)
    await keep([piece({ path: pathOf('other.cjs') })])
    expect(readdirSync(folder)).toHaveLength(1)
  })

  test('a folder and a file of another user', () => {
    const own = process.getuid
    if (!own) return
    process.getuid = () => own() + 1
    try {
      expect(isTrustedFolder(folder)).toBe(false)
      expect(readCode(pathOf(), origin)).toBeUndefined()
    } finally {
      process.getuid = own
    }
  })

  test('a link to a folder or a file', () => {
    const [link, file] = [`${folder}-link`, pathOf('link.cjs')]
    symlinkSync(folder, link)
    symlinkSync(pathOf(), file)
    expect(isTrustedFolder(link)).toBe(false)
    expect(readCode(file, origin)).toBeUndefined()
  })
})

describe('where nothing can be written, nothing happens', () => {
  test.each<[string, () => void]>([
    ['without a home', () => rmSync(join(folder, '..'), { recursive: true })],
    ['with a file in its place', () => writeFileSync(folder, '')],
    ['with a folder in the place of a piece', () => mkdirSync(pathOf(), { recursive: true, mode: 0o700 })],
  ])('%s', async (_, arrange) => {
    arrange()
    await keep()
    expect(readCode(pathOf(), origin)).toBeUndefined()
  })
})

test('two processes that write at once leave one whole file', async () => {
  await Promise.all([keep(), keep([piece({ keptBytes: 0 })])])
  expect(readdirSync(folder)).toHaveLength(1)
  expect(readCode(pathOf(), origin)).toBeDefined()
})

test('a process that has hardly more than is kept leaves the file and marks it as looked at', async () => {
  await keep()
  age(pathOf(), 2)
  const before = readFileSync(pathOf())
  const looked = piece({ keptBytes: readCode(pathOf(), origin)?.code.length ?? 0 })
  await keep([looked])
  expect(readFileSync(pathOf())).toEqual(before)
  expect(clock.now() - (readCode(pathOf(), origin)?.lookedAtMs ?? 0)).toBeLessThan(DAY_MS)
  expect(looked.lookedAtMs).toBeGreaterThan(0)
})

test('what the time does not suffice for stays due', async () => {
  const pieces = [piece(), piece({ path: pathOf('other.cjs') })]
  await keep(pieces, () => pieces.every(({ lookedAtMs }) => lookedAtMs === 0))
  expect(pieces.map(({ lookedAtMs }) => lookedAtMs > 0)).toEqual([true, false])
})

describe('the oldest go', () => {
  const fill = (name: string, bytes: number, days: number) => {
    const path = join(folder, name)
    writeFileSync(path, '')
    truncateSync(path, bytes)
    age(path, days)
  }
  beforeEach(() => mkdirSync(folder, { mode: 0o700 }))

  test('when there are too many', async () => {
    for (let at = 0; at < CODE_CACHE_FILES_MAX; at++) fill(`${at}.code`, 1, at + 1)
    await keep()
    const left = readdirSync(folder)
    expect(left).toHaveLength(CODE_CACHE_FILES_MAX)
    expect(left).not.toContain(`${CODE_CACHE_FILES_MAX - 1}.code`)
  })

  test('when they are too large, drafts of killed processes among them', async () => {
    fill('new.code', CODE_CACHE_BYTES_MAX / 2, 1)
    fill('draft.code.1', CODE_CACHE_BYTES_MAX / 2, 2)
    await keep()
    expect(readdirSync(folder).sort()).toEqual([pathOf().slice(folder.length + 1), 'new.code'].sort())
  })
})
