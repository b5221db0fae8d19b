import { describe, expect, test } from 'vitest'
import { environmentOf } from '../../src/daemon/identity.ts'
import { daemonKey, daemonPaths, rawDeviceId, socketPathProblem } from '../../src/daemon/paths.ts'

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
