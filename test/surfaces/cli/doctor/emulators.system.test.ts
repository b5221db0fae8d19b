import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkEmulators } from '../../../../src/surfaces/cli/doctor/emulators.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-doctor-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const program = (...path: string[]) => {
  const file = join(root, 'sdk', ...path)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, '#!/bin/sh\n')
  chmodSync(file, 0o755)
}

const wholeSdk = () => {
  program('platform-tools', 'adb')
  program('emulator', 'emulator')
  program('cmdline-tools', 'latest', 'bin', 'avdmanager')
  program('cmdline-tools', 'latest', 'bin', 'sdkmanager')
}

const addAvd = (name: string, abi: string) => {
  const home = join(root, 'home', '.android', 'avd')
  mkdirSync(join(home, `${name}.avd`), { recursive: true })
  writeFileSync(join(home, `${name}.ini`), `path=${join(home, `${name}.avd`)}\ntarget=android-35\n`)
  writeFileSync(join(home, `${name}.avd`, 'config.ini'), `abi.type=${abi}\n`)
}

const accept = () => {
  mkdirSync(join(root, 'sdk', 'licenses'), { recursive: true })
  writeFileSync(join(root, 'sdk', 'licenses', 'android-sdk-license'), '24333f8a63b6825ea9c5514f83c2829b004d1fee\n')
}

const look = ({ isAsked = false, ...host }: { isAsked?: boolean; sdk?: string; arch?: string; kvm?: string } = {}) => {
  const { sdk = join(root, 'sdk'), arch = 'x64', kvm = '/dev/null' } = host
  const env = { HOME: join(root, 'home'), ANDROID_HOME: sdk, PATH: '' }
  const checks = checkEmulators({ env, platform: 'linux', arch, kvm }, isAsked)
  return new Map(checks.map(check => [check.name, check]))
}

test('a host without SDK and AVDs needs none of it', () => {
  const checks = look({ sdk: '' })
  expect([...checks.keys()]).toEqual(['emulators'])
  expect(checks.get('emulators')?.status).toBe('ok')
})

test('unless it is asked for: then what is missing fails, with the command that gets it', () => {
  program('cmdline-tools', 'latest', 'bin', 'sdkmanager')
  const tools = look({ isAsked: true }).get('android-sdk')
  expect(tools).toMatchObject({ status: 'failed', hint: 'sdkmanager --install platform-tools' })
  expect(tools?.message).toBe('not found: adb, emulator, avdmanager')
  expect(tools?.details).toMatchObject({ emulator: null })
})

test('an SDK in part is a warning while nothing runs on it, and a failure with an AVD', () => {
  program('platform-tools', 'adb')
  expect(look().get('android-sdk')).toMatchObject({ status: 'warning', message: expect.stringContaining('sdkmanager') })
  addAvd('phone', 'x86_64')
  expect(look().get('android-sdk')?.status).toBe('failed')
})

test('all in order', () => {
  wholeSdk()
  accept()
  addAvd('phone', 'x86_64')
  const checks = look()
  const wrong = [...checks.values()].filter(({ name, status }) => status !== 'ok' && name !== 'emulator-disk')
  expect(wrong).toEqual([])
  expect(checks.get('android-sdk')?.details).toMatchObject({ emulator: join(root, 'sdk', 'emulator', 'emulator') })
})

describe('acceleration', () => {
  test('no KVM', () => {
    wholeSdk()
    addAvd('phone', 'x86_64')
    const check = look({ kvm: join(root, 'no-kvm') }).get('acceleration')
    expect(check).toMatchObject({ status: 'failed', hint: expect.stringContaining('modprobe kvm') })
  })

  test.skipIf(process.getuid?.() === 0)('not for this user', () => {
    wholeSdk()
    const kvm = join(root, 'kvm')
    writeFileSync(kvm, '', { mode: 0o000 })
    expect(look({ isAsked: true, kvm }).get('acceleration')?.hint).toContain('usermod -aG kvm')
  })
})

describe('ABI', () => {
  test.each([
    ['x64', 'x86_64'],
    ['arm64', 'arm64-v8a'],
  ])('new AVDs have one that a host of %s runs', (arch, abi) => {
    wholeSdk()
    const check = look({ arch }).get('abi')
    expect(check).toMatchObject({ status: 'ok', message: expect.stringContaining(`new AVDs have ${abi}`) })
  })

  test('an emulator that was built for another CPU runs the images of that one', () => {
    wholeSdk()
    addAvd('arm', 'arm64-v8a')
    mkdirSync(join(root, 'sdk', 'emulator', 'qemu', 'darwin-aarch64'), { recursive: true })
    expect(look({ arch: 'x64' }).get('abi')?.status).toBe('ok')
  })

  test('AVDs of another ABI: none that fits fails, one beside others is enough', () => {
    wholeSdk()
    addAvd('arm', 'arm64-v8a')
    expect(look().get('abi')).toMatchObject({ status: 'failed', message: expect.stringContaining('arm (arm64-v8a)') })
    addAvd('intel', 'x86_64')
    expect(look().get('abi')?.status).toBe('warning')
  })
})

test('licences that were never accepted', () => {
  wholeSdk()
  addAvd('phone', 'x86_64')
  expect(look().get('licences')).toMatchObject({ status: 'warning', hint: 'yes | sdkmanager --licenses' })
  expect(look({ isAsked: true }).get('licences')?.status).toBe('failed')
  accept()
  expect(look().get('licences')?.status).toBe('ok')
})
