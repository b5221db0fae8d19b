import { setImmediate as turn } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import type { SimulatedPhone } from '../../../../src/simulator/device.ts'
import { defaultScenario } from '../../../../src/simulator/scenario/default/apps.ts'
import type { EncoderKind } from '../../../../src/simulator/scenario/device.ts'
import type { Shell } from '../../../../src/simulator/shell/shell.ts'
import { captured, runIn, shellOf } from '../../../support/device/shell-run.ts'
import { type ManualClock, manualClock } from '../../../support/manual-clock.ts'
import { boxesOf } from '../../../support/pictures/mp4-boxes.ts'
import { phoneOf } from '../../../support/simulator/simulated-phone.ts'

const FILE = '/data/local/tmp/a.mp4'

let clock: ManualClock
let phone: SimulatedPhone
let shell: Shell

const begin = (encoder: EncoderKind = 'any-size') => {
  const scenario = defaultScenario()
  clock = manualClock()
  phone = phoneOf({ clock, scenario: { ...scenario, timeScale: 1, device: { ...scenario.device, encoder } } })
  shell = shellOf(phone, clock)
}

beforeEach(() => begin())

/** Time passes in steps, and everything that is woken by one runs before the next. */
const pass = async (ms: number) => {
  for (let left = ms; left > 0; left -= 100) {
    await turn()
    clock.advance(Math.min(100, left))
    await turn()
  }
}

const file = () => phone.files.read(FILE)?.content ?? new Uint8Array()
const start = (options = '') =>
  runIn(shell, `setsid screenrecord ${options} ${FILE} >/data/local/tmp/a.log 2>&1 </dev/null & echo $!`)
const isRunning = async () => (await runIn(shell, 'pidof screenrecord')).code === 0

test('runs on in the background; its index is written when it is interrupted', async () => {
  const pid = (await start()).out.trim()
  await pass(1_000)
  expect((await runIn(shell, 'pidof screenrecord')).out.trim()).toBe(pid)
  expect((await runIn(shell, `cat /proc/${pid}/cmdline`)).out).toBe(`screenrecord\0${FILE}\0`)
  phone.key('HOME')
  await pass(1_000)
  expect(boxesOf(file())).toEqual(['ftyp', 'mdat'])
  expect((await runIn(shell, `kill -INT ${pid}`)).code).toBe(0)
  await pass(100)
  expect(await isRunning()).toBe(false)
  expect(boxesOf(file())).toEqual(['ftyp', 'mdat', 'moov'])
  expect((await runIn(shell, `ls /proc/${pid}`)).code).toBe(1)
})

test.each(['KILL', 'TERM', 'HUP'])('SIG%s leaves a file that nobody can play', async signal => {
  const pid = (await start()).out.trim()
  await pass(500)
  await runIn(shell, `kill -${signal} ${pid}`)
  await pass(100)
  expect(await isRunning()).toBe(false)
  expect(boxesOf(file())).toEqual(['ftyp', 'mdat'])
})

test('ends by itself at its time limit, with a file that can be played', async () => {
  await start('--time-limit 2')
  await pass(1_900)
  expect(await isRunning()).toBe(true)
  await pass(300)
  expect(await isRunning()).toBe(false)
  expect(boxesOf(file())).toEqual(['ftyp', 'mdat', 'moov'])
})

test('is lost with the connection of its caller, unless it has a session of its own', async () => {
  const gone = new AbortController()
  const { io } = captured({ signal: gone.signal })
  const running = shell.run(`screenrecord ${FILE}`, io)
  await pass(500)
  gone.abort()
  await pass(100)
  await running
  expect(boxesOf(file())).toEqual(['ftyp', 'mdat'])

  const left = new AbortController()
  const detached = shell.run(`setsid screenrecord ${FILE}`, captured({ signal: left.signal }).io)
  await pass(500)
  left.abort()
  await pass(500)
  expect(await isRunning()).toBe(true)
  phone.close()
  await detached
})

test('the video has one picture, however long it is', async () => {
  await start()
  await pass(1_000)
  const first = file().length
  phone.key('APP_SWITCH')
  await pass(20_000)
  expect(file()).toHaveLength(first)
})

test('a display that is off gives a file with nothing in it', async () => {
  phone.sleep()
  await start('--time-limit 1')
  await pass(1_300)
  expect(await isRunning()).toBe(false)
  expect(file()).toHaveLength(0)
})

test('writes the raw stream to stdout', async () => {
  const running = runIn(shell, 'screenrecord --time-limit 1 --output-format=h264 -')
  await pass(1_300)
  const { stdout, code } = await running
  expect(code).toBe(0)
  expect(stdout.subarray(0, 5)).toEqual(Buffer.from([0, 0, 0, 1, 0x67]))
})

describe('words that it refuses', () => {
  test.each([
    ['--time-limit 181', 'Time limit 181s outside acceptable range [0,180]'],
    ['--size 12', "Invalid size '12', must be width x height"],
    ['--bit-rate fast', "Invalid bit rate 'fast'"],
    ['--colour', 'unrecognized option'],
  ])('%s', async (options, said) => {
    const { code, err } = await runIn(shell, `screenrecord ${options} ${FILE}`)
    expect({ code, isSaid: err.includes(said) }).toEqual({ code: 2, isSaid: true })
  })

  test('no file, and one that cannot be written', async () => {
    expect((await runIn(shell, 'screenrecord')).err).toContain('Must specify output file')
    expect(await runIn(shell, 'screenrecord /system/a.mp4')).toMatchObject({ code: 1, err: /Unable to open/ })
  })
})

describe('a phone', () => {
  test('without an encoder leaves an empty file', async () => {
    begin('none')
    expect(await runIn(shell, `screenrecord ${FILE}`)).toMatchObject({ code: 1, err: 'Encoder failed (err=-38)\n' })
    expect(file()).toHaveLength(0)
  })

  test('with a small encoder falls back, and succeeds', async () => {
    begin('small-sizes')
    const running = runIn(shell, `screenrecord --time-limit 1 ${FILE}`)
    await pass(1_300)
    const { code, err } = await running
    expect({ code, err }).toEqual({
      code: 0,
      err:
        'ERROR: unable to configure video/avc codec at 1080x2400 (err=-22)\n' +
        'WARNING: failed at 1080x2400, retrying at 720x1280\n',
    })
    expect(boxesOf(file())).toEqual(['ftyp', 'mdat', 'moov'])
  })

  test('without the program says so as its shell does', async () => {
    begin('no-program')
    expect(await runIn(shell, `screenrecord ${FILE}`)).toMatchObject({ code: 127, err: /inaccessible or not found/ })
  })
})
