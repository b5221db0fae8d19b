import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { environmentOf } from '../../../src/surfaces/daemon/identity.ts'
import {
  type DaemonPaths,
  daemonKey,
  daemonPaths,
  homeProblem,
  prepareHome,
  rawDeviceId,
  socketPathProblem,
} from '../../../src/surfaces/daemon/paths.ts'
import { temporary } from '../../support/temporary.ts'

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

describe('the key of a daemon', () => {
  test.each([[undefined], [''], [' '], ['\t\n']])('%j is the default daemon', device => {
    expect(daemonKey(device)).toBe('default')
    expect(rawDeviceId(device)).toBe('')
  })

  test.each([
    ['emulator-5554', 'id-ZW11bGF0b3ItNTU1NA'],
    ['default', 'id-ZGVmYXVsdA'],
    [' x', 'id-IHg'],
    ['127.0.0.1:5555', 'id-MTI3LjAuMC4xOjU1NTU'],
    ['../../etc/x', 'id-Li4vLi4vZXRjL3g'],
    ['ÿ?>', 'id-w78_Pg'],
  ])('%j is %s', (device, key) => {
    expect(daemonKey(device)).toBe(key)
    expect(rawDeviceId(device)).toBe(device)
  })
})

describe('its files', () => {
  test('lie side by side in one directory of the home', () => {
    expect(daemonPaths('/home/u/.svc', 'x')).toEqual({
      home: '/home/u/.svc',
      directory: '/home/u/.svc/daemon',
      key: 'id-eA',
      socket: '/home/u/.svc/daemon/daemon-id-eA.sock',
      metadata: '/home/u/.svc/daemon/daemon-id-eA.pid',
      log: '/home/u/.svc/daemon/daemon-id-eA.log',
      lock: '/home/u/.svc/daemon/daemon-id-eA.lock',
    })
  })

  test('a relative home is one directory, wherever the daemon runs', () => {
    expect(daemonPaths('x', undefined).home).toBe(`${process.cwd()}/x`)
  })

  test('a socket path of 103 bytes is the longest', () => {
    expect(socketPathProblem(`/${'x'.repeat(102)}`)).toBeUndefined()
    expect(socketPathProblem(`/${'x'.repeat(103)}`)).toContain('has 104 bytes, the maximum is 103')
    expect(socketPathProblem(`/${'é'.repeat(52)}`)).toContain('has 105 bytes')
  })
})

describe('what can be reached', () => {
  test('depends on how the debug bridge is found, and on nothing else', () => {
    const env = { SVC_TCP_DEVICES: '127.0.0.1:5555', SVC_OPERATOR_PACKAGE: 'x', PATH: '/bin' }
    expect(environmentOf(env)).toBe(environmentOf({ SVC_TCP_DEVICES: '127.0.0.1:5555', SVC_NO_DAEMON: '0' }))
    expect(environmentOf(env)).not.toBe(environmentOf({ SVC_TCP_DEVICES: '127.0.0.1:5556' }))
    expect(environmentOf({ SVC_TCP_DEVICES: '' })).toBe(environmentOf({}))
    expect(environmentOf({ ADB_SERVER_SOCKET: 'tcp:1' })).not.toBe(environmentOf({ ANDROID_ADB_SERVER_PORT: '1' }))
  })
})
