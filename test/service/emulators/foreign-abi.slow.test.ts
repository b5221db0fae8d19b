/** AVDs of an ABI that this host does not run: never chosen, never supported, and a start of one says why it failed. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ConfiguredAvd } from '../../../src/contracts/device/avd.ts'
import type { Answered } from '../../../src/service/emulators/emulators.ts'
import { createServices } from '../../../src/start/command.ts'
import type { CommandParts } from '../../../src/surfaces/command-parts.ts'
import { type EmulatorLab, startEmulatorLab } from '../../support/emulators/emulator-lab.ts'
import { needs } from '../../support/needs.ts'

const imageOf = (abi: string) => `system-images;android-35;google_apis_playstore;${abi}`
const DERIVED = 'svc-pixel-12gb'

const answerOf = <T>(answered: Answered<T>): T => {
  if (!answered.ok) throw new Error(`${answered.error.code}: ${answered.error.message}`)
  return answered.value
}
const errorOf = <T>(answered: Answered<T>) => (answered.ok ? answered.value : answered.error)

describe.skipIf(!needs('adb')).each([
  { arch: 'x64', own: 'x86_64', foreign: 'arm64-v8a', hostCpu: 'x86_64', engine: 'linux-x86_64' },
  { arch: 'arm64', own: 'arm64-v8a', foreign: 'x86_64', hostCpu: 'arm64', engine: 'linux-aarch64' },
] as const)('a host of $arch', ({ arch, own, foreign, hostCpu, engine }) => {
  let lab: EmulatorLab
  let services: CommandParts
  beforeAll(async () => {
    const modes = { emulator: { hostCpu } }
    lab = await startEmulatorLab({ installed: [imageOf(own), imageOf(foreign)], modes })
    services = createServices({ env: lab.env, cwd: lab.sdk.home, note: () => {}, arch })
    lab.sdk.addAvd({ name: DERIVED, image: imageOf(foreign) })
  })
  afterAll(async () => {
    await services.close()
    await lab.close()
  })

  test('does not support them, and a start of one says so', async () => {
    const [avd] = answerOf(await services.emulators().list()).avds
    expect(avd).toMatchObject({ name: DERIVED, supported: false, unsupportedReasons: ['unsupported_abi'] })
    expect(errorOf(await services.emulators().start(DERIVED, { window: false }))).toMatchObject({
      code: 'EMULATOR_START_FAILED',
      message: expect.stringContaining(`its ABI ${foreign} does not run on this host, whose own is ${own}`),
      hint: expect.stringContaining(`with abi ${own}`),
      details: { abi: foreign, hostAbi: own, output: expect.stringContaining('is not supported by the QEMU2') },
    })
  })

  test('makes none of them unless told to, and says where the default is another', async () => {
    const made = answerOf(
      await services.emulators().create({ name: 'made', apiLevel: 35, deviceProfile: 'pixel_7', playStore: true }),
    )
    const note = own === 'arm64-v8a' ? undefined : 'This host does not run arm64-v8a; the new AVD has the ABI x86_64.'
    expect(made).toMatchObject({ abi: own, supported: true, ...(note === undefined ? {} : { note }) })
    expect('note' in made).toBe(note !== undefined)
    const named = { name: 'named', apiLevel: 35, abi: foreign, deviceProfile: 'pixel_7', playStore: true }
    expect(answerOf(await services.emulators().create(named))).not.toHaveProperty('note')
  })

  test('chooses another AVD, though one of them has the preferred name', async () => {
    const provisioned = answerOf(await services.emulators().provision({ window: false }))
    expect(provisioned).toMatchObject({ avdName: 'made', created: false, reused: true })
    answerOf(await services.emulators().stop('made'))
    answerOf(await services.emulators().delete('made'))
    const calls = lab.sdk.calls().length
    expect(errorOf(await services.emulators().provision({}))).toMatchObject({
      code: 'EMULATOR_UNSUPPORTED',
      hint: expect.stringContaining(`\`DELETE /android/emulators/${DERIVED}\``),
      details: { avdName: DERIVED, unsupportedReasons: ['unsupported_abi'] },
    })
    expect(errorOf(await services.emulators().provision({ abi: foreign, storageSize: '20G' }))).toMatchObject({
      code: 'EMULATOR_UNSUPPORTED',
      message: expect.stringContaining(`No emulator of the ABI ${foreign} can run on this host`),
      hint: expect.stringContaining(own),
      details: { abi: foreign, unsupportedReasons: ['unsupported_abi'] },
    })
    const after = lab.sdk.calls().slice(calls)
    expect(after.filter(({ argv }) => argv[0] !== '-list-avds')).toEqual([])
  })

  test('on the command line as well, by what the emulator itself was built for', async () => {
    const qemu = join(dirname(lab.sdk.paths.emulator), 'qemu')
    mkdirSync(join(qemu, engine), { recursive: true })
    const created = await lab.svc(['emulators', 'create', 'cli'])
    rmSync(qemu, { recursive: true })
    expect(created.json<ConfiguredAvd>()).toMatchObject({ ok: true, abi: own, supported: true })
    expect(created.stderr.includes('This host does not run arm64-v8a')).toBe(own !== 'arm64-v8a')
  })
})

test('a named ABI counts when an AVD is chosen', async context => {
  if (!needs('adb')) context.skip()
  const lab = await startEmulatorLab({ installed: [imageOf('x86_64')] })
  const services = createServices({ env: lab.env, cwd: lab.sdk.home, note: () => {}, arch: 'x64' })
  try {
    lab.sdk.addAvd({ name: DERIVED, image: imageOf('x86_64') })
    lab.sdk.addAvd({ name: 'other', image: imageOf('x86_64') })
    // Such a host runs these too.
    const config = join(lab.sdk.avdHome, `${DERIVED}.avd`, 'config.ini')
    writeFileSync(config, readFileSync(config, 'utf8').replace('abi.type=x86_64', 'abi.type=x86'))
    const provision = { abi: 'x86_64', window: false }
    expect(answerOf(await services.emulators().provision(provision)).avdName).toBe('other')
    answerOf(await services.emulators().stop('other'))
    answerOf(await services.emulators().delete('other'))
    expect(errorOf(await services.emulators().provision(provision))).toMatchObject({
      code: 'EMULATOR_UNSUPPORTED',
      details: { avdName: DERIVED, unsupportedReasons: ['unsupported_abi'] },
    })
  } finally {
    await services.close()
    await lab.close()
  }
})
