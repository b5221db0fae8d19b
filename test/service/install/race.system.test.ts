/** What is put in the way between the look and the write is neither followed nor overwritten. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { applyChange, type Change } from '../../../src/service/install/changes.ts'
import { hostsOf } from '../../../src/service/install/hosts.ts'
import { planInstall } from '../../../src/service/install/install.ts'
import { entryAt } from '../../../src/service/install/plan.ts'
import { openFolder, physicalPath } from '../../../src/service/install/safe-folder.ts'
import { temporary } from '../../support/temporary.ts'
import { treeOf } from '../../support/tree.ts'

const folder = temporary('svc-race-')
const place = () => {
  const root = realpathSync(mkdtempSync(join(folder(), 'r-')))
  const at = (...parts: string[]) => join(root, ...parts)
  mkdirSync(at('target'))
  mkdirSync(at('victim'))
  writeFileSync(at('victim/secret'), 'secret')
  return { root, at, victim: () => treeOf(at('victim')) }
}

const files = new Map([['SKILL.md', Buffer.from('text')]])
const MAKES: [string, Change['make']][] = [
  ['a folder', { kind: 'folder', files }],
  ['a link', { kind: 'link', target: '/nonexistent' }],
  ['a file', { kind: 'file', bytes: Buffer.from('text'), mode: 0o600 }],
]

describe.each(MAKES)('%s', (_, make) => {
  test('where nothing was planned to be: a link, a file or a folder that came stays', () => {
    const { at, victim } = place()
    const before = victim()
    symlinkSync(at('victim'), at('target/a'))
    symlinkSync(at('victim/secret'), at('target/b'))
    writeFileSync(at('target/c'), 'mine')
    mkdirSync(at('target/d'))
    writeFileSync(at('target/d/mine'), 'mine')
    const tree = treeOf(at('target'))
    for (const name of ['a', 'b', 'c', 'd'])
      expect(applyChange({ path: at('target', name), make })).toContain('left alone')
    expect(victim()).toEqual(before)
    expect(Object.keys(treeOf(at('target')))).toEqual(Object.keys(tree))
    expect(readFileSync(at('target/c'), 'utf8')).toBe('mine')
    expect(readlinkSync(at('target/a'))).toBe(at('victim'))
  })

  test('in the place of what was looked at: something else that came stays', () => {
    const { at, victim } = place()
    const before = victim()
    const put = [
      (path: string) => symlinkSync(at('victim'), path),
      (path: string) => symlinkSync(at('victim/secret'), path),
      (path: string) => writeFileSync(path, 'theirs'),
      (path: string) => mkdirSync(path),
    ]
    for (const [index, plant] of put.entries()) {
      const path = at('target', String(index))
      mkdirSync(path)
      writeFileSync(join(path, 'old'), 'old')
      const over = entryAt(path)?.identity
      rmSync(path, { recursive: true })
      plant(path)
      const planted = entryAt(path)
      expect(applyChange({ path, make, over })).toContain('left alone')
      expect(entryAt(path)?.kind).toBe(planted?.kind)
    }
    expect(readdirSync(at('target')).sort()).toEqual(['0', '1', '2', '3'])
    expect(victim()).toEqual(before)
  })

  test('a folder on the way that became a link is not gone through', () => {
    const { at, victim } = place()
    const before = victim()
    mkdirSync(at('target/inner'))
    renameSync(at('target'), at('moved'))
    mkdirSync(at('victim/inner'))
    const planted = victim()
    symlinkSync(at('victim'), at('target'))
    expect(applyChange({ path: at('target/inner/x'), make })).toContain('not followed')
    expect(applyChange({ path: at('target/x'), make })).toContain('not followed')
    expect(victim()).toEqual(planted)
    expect(Object.keys(before).every(path => path in planted)).toBe(true)
  })
})

test('text that was changed after the look is not removed or replaced', () => {
  const { at } = place()
  mkdirSync(at('target/ours'))
  writeFileSync(at('target/ours/SKILL.md'), 'old')
  const over = entryAt(at('target/ours'))?.identity
  writeFileSync(at('target/ours/SKILL.md'), 'edited meanwhile')
  for (const make of [{ kind: 'nothing' }, { kind: 'folder', files }] as const) {
    expect(applyChange({ path: at('target/ours'), make, over })).toContain('left alone')
  }
  expect(readFileSync(at('target/ours/SKILL.md'), 'utf8')).toBe('edited meanwhile')
  expect(readdirSync(at('target'))).toEqual(['ours'])
})

test('an opened folder stays the one it was, wherever its path leads by then', () => {
  const { at } = place()
  const opened = openFolder(at('target'))
  renameSync(at('target'), at('moved'))
  symlinkSync(at('victim'), at('target'))
  if (process.platform === 'linux') {
    writeFileSync(opened.at('file'), 'text')
    expect(existsSync(at('moved/file'))).toBe(true)
  } else expect(() => opened.at('file')).toThrow('symbolic link')
  opened.close()
  expect(readdirSync(at('victim'))).toEqual(['secret'])
  for (const name of ['..', '.', '', 'a/b', '../victim']) {
    const other = openFolder(at('moved'))
    expect(() => other.at(name)).toThrow('not the name of one entry')
    other.close()
  }
})

test('a whole plan: hosts that are swapped for links after the planning get nothing', () => {
  const { at, victim } = place()
  const home = at('home')
  for (const host of ['.claude', '.codex', '.agents']) mkdirSync(join(home, host, 'skills'), { recursive: true })
  mkdirSync(join(home, '.svc'))
  const bundle = { version: '1.0.0', packages: [{ name: 'svc-one', files }] }
  const { changes } = planInstall({
    authoring: { home: join(home, '.svc'), hosts: hostsOf({ userHome: home }), bundle },
  })
  for (const host of ['.claude', '.codex', '.agents']) {
    rmSync(join(home, host, 'skills'), { recursive: true })
    symlinkSync(at('victim'), join(home, host, 'skills'))
  }
  const before = victim()
  const problems = changes.map(change => applyChange(change)).filter(each => each !== undefined)
  expect(problems).toHaveLength(3)
  expect(victim()).toEqual(before)
})

test('a path is resolved as far as it is there', () => {
  const { at } = place()
  symlinkSync(at('target'), at('link'))
  symlinkSync(at('nowhere'), at('dangling'))
  expect(physicalPath(at('link/a/b'))).toEqual({ ok: true, path: at('target/a/b'), exists: false })
  expect(physicalPath(at('link'))).toEqual({ ok: true, path: at('target'), exists: true })
  expect(physicalPath(at('dangling/a'))).toMatchObject({ ok: false, path: at('dangling') })
  expect(physicalPath(at('victim/secret/a'))).toMatchObject({
    ok: false,
    problem: expect.stringContaining('not a directory'),
  })
})
