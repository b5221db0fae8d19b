/** Where the tools and the AVDs are: the variables of the SDK, in the order in which they count. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { avdHome, findTool, missingTools } from '../../../src/service/emulators/sdk.ts'
import { temporary } from '../../support/temporary.ts'

const place = temporary('svc-sdks-')
const folder = () => realpathSync(mkdtempSync(join(place(), 'x-')))
const program = (path: string, mode = 0o755) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '')
  chmodSync(path, mode)
  return path
}
const sdk = () => {
  const root = folder()
  return { root, emulator: program(join(root, 'emulator', 'emulator')) }
}

describe('a tool', () => {
  test('by its own variable, which counts alone', () => {
    const { root } = sdk()
    const own = program(join(folder(), 'my-emulator'))
    expect(findTool('emulator', { ANDROID_HOME: root, EMULATOR_PATH: own })).toBe(own)
    expect(findTool('emulator', { ANDROID_HOME: root, EMULATOR_PATH: '/nowhere' })).toBeUndefined()
    expect(findTool('emulator', { EMULATOR_PATH: root })).toBeUndefined()
  })

  test('in ANDROID_HOME before ANDROID_SDK_ROOT before the PATH', () => {
    const [first, second] = [sdk(), sdk()]
    const onPath = program(join(folder(), 'emulator'))
    const PATH = dirname(onPath)
    expect(findTool('emulator', { ANDROID_HOME: first.root, ANDROID_SDK_ROOT: second.root, PATH })).toBe(first.emulator)
    expect(findTool('emulator', { ANDROID_HOME: '', ANDROID_SDK_ROOT: second.root, PATH })).toBe(second.emulator)
    expect(findTool('emulator', { PATH: `relative:${PATH}` })).toBe(onPath)
    expect(findTool('emulator', {})).toBeUndefined()
  })

  test('of the command line: latest, else the newest version', () => {
    const { root } = sdk()
    const old = program(join(root, 'cmdline-tools', '9.0', 'bin', 'sdkmanager'))
    expect(findTool('sdkmanager', { ANDROID_HOME: root })).toBe(old)
    const latest = program(join(root, 'cmdline-tools', 'latest', 'bin', 'sdkmanager'))
    expect(findTool('sdkmanager', { ANDROID_HOME: root })).toBe(latest)
    program(join(root, 'cmdline-tools', 'latest', 'bin', 'avdmanager'), 0o644)
    const env = { ANDROID_HOME: root, ADB_PATH: program(join(root, 'my-adb')) }
    expect(missingTools(['adb', 'emulator', 'avdmanager', 'sdkmanager'], env)).toEqual(['avdmanager'])
  })
})

test.each([
  [{ ANDROID_AVD_HOME: '/v', ANDROID_USER_HOME: '/u', HOME: '/h' }, '/v'],
  [{ ANDROID_USER_HOME: '/u', HOME: '/h' }, '/u/avd'],
  [{ ANDROID_SDK_HOME: '/s', HOME: '/h' }, '/s/.android/avd'],
  [{ HOME: '/h' }, '/h/.android/avd'],
])('AVDs of %j are in %s', (env, path) => expect(avdHome(env)).toBe(path))
