/** Where the adb server, the adb program and the TCP devices are. */
import { describe, expect, test } from 'vitest'
import { serverAddress, serverFlags, tcpDevices } from '../../../src/contracts/device/addresses.ts'
import { findAdb } from '../../../src/device/link/adb-program.ts'

describe('the adb server', () => {
  test.each([
    [{}, { host: '127.0.0.1', port: 5037 }],
    [{ ADB_SERVER_SOCKET: 'localfilesystem:/tmp/x y' }, { path: '/tmp/x y' }],
    [{ ADB_SERVER_SOCKET: 'tcp:5040' }, { host: '127.0.0.1', port: 5040 }],
    [{ ADB_SERVER_SOCKET: 'tcp:build.lan:5041' }, { host: 'build.lan', port: 5041 }],
    [{ ADB_SERVER_SOCKET: 'tcp:[::1]:5042' }, { host: '::1', port: 5042 }],
    [{ ANDROID_ADB_SERVER_PORT: '15037' }, { host: '127.0.0.1', port: 15037 }],
    [{ ANDROID_ADB_SERVER_ADDRESS: 'box' }, { host: 'box', port: 5037 }],
    [
      { ANDROID_ADB_SERVER_ADDRESS: '::1', ANDROID_ADB_SERVER_PORT: '1' },
      { host: '::1', port: 1 },
    ],
    [
      { ADB_SERVER_SOCKET: 'tcp:5040', ANDROID_ADB_SERVER_PORT: '1' },
      { host: '127.0.0.1', port: 5040 },
    ],
    [
      { ADB_SERVER_SOCKET: '', ANDROID_ADB_SERVER_PORT: '' },
      { host: '127.0.0.1', port: 5037 },
    ],
  ])('%j', (env, address) => expect(serverAddress(env)).toEqual(address))

  test.each([
    { ADB_SERVER_SOCKET: 'nonsense' },
    { ADB_SERVER_SOCKET: 'localfilesystem:' },
    { ADB_SERVER_SOCKET: 'tcp:' },
    { ADB_SERVER_SOCKET: 'tcp:host:0' },
    { ANDROID_ADB_SERVER_PORT: '99999' },
    { ANDROID_ADB_SERVER_PORT: 'five' },
  ])('%j is unusable, and says so', env => expect(serverAddress(env)).toHaveProperty('unusable'))

  test.each([
    [{ path: '/tmp/s' }, ['-L', 'localfilesystem:/tmp/s']],
    [{ host: '127.0.0.1', port: 5038 }, ['-P', '5038']],
    [{ host: 'build.lan', port: 5037 }, undefined],
  ])('%j is started with %j', (address, flags) => expect(serverFlags(address)).toEqual(flags))
})

describe('the adb program', () => {
  const all = new Set(['/mine/adb', '/home/platform-tools/adb', '/root/platform-tools/adb', '/usr/bin/adb'])
  const without =
    (...gone: string[]) =>
    (path: string) =>
      all.has(path) && !gone.includes(path)
  const env = { ADB_PATH: '/mine/adb', ANDROID_HOME: '/home', ANDROID_SDK_ROOT: '/root', PATH: '/bin::/usr/bin' }

  test('ADB_PATH wins, and counts alone', () => {
    expect(findAdb(env, without())).toBe('/mine/adb')
    expect(findAdb(env, without('/mine/adb'))).toBeUndefined()
  })
  test('then ANDROID_HOME, ANDROID_SDK_ROOT, PATH', () => {
    const { ADB_PATH: _, ...rest } = env
    expect(findAdb(rest, without())).toBe('/home/platform-tools/adb')
    expect(findAdb(rest, without('/home/platform-tools/adb'))).toBe('/root/platform-tools/adb')
    expect(findAdb({ PATH: env.PATH }, without())).toBe('/usr/bin/adb')
    expect(findAdb({}, without())).toBeUndefined()
  })
})

describe('TCP devices', () => {
  test('a list, with blanks, an address twice and the usual port left out', () => {
    expect(tcpDevices(' 10.0.0.1:5556, phone ,,10.0.0.1:5556 ,[fe80::1]:5555')).toEqual([
      { serial: '10.0.0.1:5556', address: { host: '10.0.0.1', port: 5556 } },
      { serial: 'phone:5555', address: { host: 'phone', port: 5555 } },
      { serial: '[fe80::1]:5555', address: { host: 'fe80::1', port: 5555 } },
    ])
  })
  test.each([undefined, '', ' , '])('%j is none', list => expect(tcpDevices(list)).toEqual([]))
  test('what is not an address is kept for the listing', () => {
    expect(tcpDevices('phone:99999')).toEqual([{ serial: 'phone:99999', address: undefined }])
  })
})
