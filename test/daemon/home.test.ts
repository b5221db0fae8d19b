import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { homeProblem, prepareHome } from '../../src/daemon/home.ts'
import { type DaemonPaths, daemonPaths } from '../../src/daemon/paths.ts'
import { temporary } from '../support/temporary.ts'

const folder = temporary('svc-home-')
const isRoot = process.getuid?.() === 0
let count = 0
let home: string
let paths: DaemonPaths

beforeEach(() => {
  home = join(folder(), `h${count++}`)
  paths = daemonPaths(home, undefined)
})

const modeOf = (path: string) => statSync(path).mode & 0o777

describe('the home of daemons', () => {
  test('looking makes nothing; preparing makes it for this user alone', () => {
    expect(homeProblem(paths)).toBeUndefined()
    expect(existsSync(home)).toBe(false)
    expect(prepareHome(paths)).toBeUndefined()
    expect([modeOf(home), modeOf(paths.directory)]).toEqual([0o700, 0o700])
    expect(prepareHome(paths)).toBeUndefined()
  })

  test('a directory that is open to others is closed', () => {
    prepareHome(paths)
    chmodSync(paths.directory, 0o755)
    expect(homeProblem(paths)).toBeUndefined()
    expect(modeOf(paths.directory)).toBe(0o700)
  })

  test.each(['home', 'directory'] as const)('a symbolic link as %s is not followed', which => {
    const elsewhere = join(folder(), `elsewhere${count++}`)
    mkdirSync(elsewhere)
    if (which === 'directory') mkdirSync(home)
    symlinkSync(elsewhere, paths[which])
    expect(prepareHome(paths)).toBe(`${paths[which]} is a symbolic link`)
    expect(readdirSync(elsewhere)).toEqual([])
  })

  test('a link to nowhere is one too', () => {
    symlinkSync('/nowhere', home)
    expect(prepareHome(paths)).toBe(`${home} is a symbolic link`)
  })

  test('a file in its place stays', () => {
    writeFileSync(home, 'mine')
    expect(prepareHome(paths)).toBe(`${home} is not a directory`)
    expect(statSync(home).size).toBe(4)
  })

  test('where nothing can be made, the system says why', () => {
    expect(prepareHome(daemonPaths('/proc/svc-home/.svc', undefined))).toMatch(/ENOENT|EACCES|EPERM/)
  })

  test.runIf(isRoot)('the directory of another user is left alone', () => {
    mkdirSync(home, { mode: 0o777 })
    chownSync(home, 12_345, 12_345)
    expect(prepareHome(paths)).toBe(`${home} belongs to another user (12345)`)
    expect(readdirSync(home)).toEqual([])
  })

  test.runIf(!isRoot)('the directory of another user is left alone, as root sees to', () => {
    expect(prepareHome(daemonPaths('/usr', undefined))).toBe('/usr belongs to another user (0)')
  })
})
