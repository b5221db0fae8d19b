import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { bytesOf, sourceOf } from '../../../src/device/files/host-files.ts'
import { isOpenWithin } from '../../../src/device/files/open-path.ts'

const hooks = vi.hoisted(() => ({
  aroundRealpath: undefined as ((path: string) => void) | undefined,
  afterLstat: undefined as ((path: string) => void) | undefined,
}))

vi.mock('node:fs/promises', async original => {
  const real = await original<typeof import('node:fs/promises')>()
  const realpath = async (path: string) => {
    hooks.aroundRealpath?.(path)
    const found = await real.realpath(path)
    hooks.aroundRealpath?.(path)
    return found
  }
  const lstat = async (path: string) => {
    const found = await real.lstat(path)
    hooks.afterLstat?.(path)
    return found
  }
  return { ...real, realpath, lstat }
})

let folder: string
const at = (...parts: string[]) => join(folder, ...parts)

/** The folder and the link change places, as one system call can do it. */
const swap = () => {
  renameSync(at('root', 'a'), at('root', 'between'))
  renameSync(at('root', 'b'), at('root', 'a'))
  renameSync(at('root', 'between'), at('root', 'b'))
}

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-open-place-')))
  for (const each of ['root/a', 'out']) mkdirSync(at(each), { recursive: true })
  writeFileSync(at('root', 'a', 's'), 'mine')
  writeFileSync(at('out', 's'), 'else')
  symlinkSync('../out', at('root', 'b'))
})
afterEach(() => {
  hooks.aroundRealpath = undefined
  hooks.afterLstat = undefined
  rmSync(folder, { recursive: true })
})

test.runIf(process.platform === 'linux')(
  'what was opened outside is not read, however its path is swapped',
  async () => {
    const from = at('root', 'a', 's')
    const read = async () => {
      for await (const _ of bytesOf({ path: '', from, size: 4, mode: 0o644, mtime: 0 }, [at('root')])) return 'read'
      return 'empty'
    }
    expect(await read()).toBe('read')
    swap()
    hooks.aroundRealpath = path => {
      if (path === from) swap()
    }
    await expect(read()).rejects.toMatchObject({ code: 'FILE_REFUSED' })
  },
)

test('what is open is judged by where it lies, also behind a link', async () => {
  const roots = [at('root')]
  const judged = async (path: string) => {
    const file = await open(path)
    try {
      return await isOpenWithin(file, path, roots)
    } finally {
      await file.close()
    }
  }
  expect(await judged(at('root', 'a', 's'))).toBe(true)
  expect(await judged(at('root', 'b', 's'))).toBe(false)
  expect(await judged(at('out', 's'))).toBe(false)
})

test.runIf(process.platform === 'linux')('the names of a folder outside are not listed', async () => {
  const named = at('root', 'a')
  const list = () => sourceOf(named, [at('root')], new AbortController().signal)
  expect((await list()).files).toHaveLength(1)
  hooks.afterLstat = path => {
    if (path === named) swap()
  }
  await expect(list()).rejects.toMatchObject({ code: 'FILE_REFUSED' })
})
