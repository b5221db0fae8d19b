/** The library as a host, straight to the device: every service that the product uses, and many calls at once. */
import { randomBytes } from 'node:crypto'
import type { Adb } from '@yume-chan/adb'
import { ReadableStream } from '@yume-chan/stream-extra'
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { type Adbd, startAdbd } from '../../../src/simulator/adbd/adbd.ts'
import { tangoHost } from '../../support/adb/tango-host.ts'
import { type StubPhone, stubPhone } from '../../support/device/stub-phone.ts'
import { until } from '../../support/until.ts'

const clock = systemClock()
let adbd: Adbd | undefined

afterEach(async () => {
  await adbd?.close()
})

const device = async (): Promise<{ phone: StubPhone; adb: Adb }> => {
  const phone = stubPhone(clock)
  adbd = await startAdbd({ phone, clock })
  return { phone, adb: await tangoHost(adbd.port) }
}

const shellOf = ({ subprocess }: Adb) => {
  if (!subprocess.shellProtocol) throw new Error('the device offers no shell protocol')
  return subprocess.shellProtocol
}

const streamOf = (content: Uint8Array) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(content)
      controller.close()
    },
  })

const joined = async (stream: AsyncIterable<Uint8Array>) => {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

describe('shell', () => {
  test('gives exit code, stdout and stderr', async () => {
    const { adb } = await device()
    expect(await shellOf(adb).spawnWaitText("printf 'a b'; echo c >&2; exit 9")).toEqual({
      exitCode: 9,
      stdout: 'a b',
      stderr: 'c\n',
    })
  })

  test('hundreds of calls, fifty at a time', async () => {
    const { adb } = await device()
    const shell = shellOf(adb)
    for (let round = 0; round < 8; round++) {
      const calls = Array.from({ length: 50 }, (_, at) => shell.spawnWaitText(`echo ${round}.${at}`))
      for (const [at, { stdout }] of (await Promise.all(calls)).entries()) expect(stdout).toBe(`${round}.${at}\n`)
    }
  })

  test('a command line over the limit of an argument is refused as on a phone', async () => {
    const { adb } = await device()
    const result = await shellOf(adb).spawnWaitText(`echo ${'x'.repeat(140_000)}`)
    expect(result).toMatchObject({
      exitCode: 126,
      stdout: '',
      stderr: expect.stringContaining('Argument list too long'),
    })
    expect((await shellOf(adb).spawnWaitText(`echo ${'x'.repeat(100_000)} | wc -c`)).stdout).toBe('100001\n')
  })

  test('kill ends the command on the device', async () => {
    const { adb, phone } = await device()
    const reader = await adb.subprocess.noneProtocol.spawn('logcat')
    await until(() => phone.following() === 1, 'logcat to follow')
    await reader.kill()
    await until(() => phone.following() === 0, 'logcat to end')
  })
})

describe('sync', () => {
  test('writes and reads 3 MB, and says what is there', async () => {
    const { adb, phone } = await device()
    const content = randomBytes(3 * 1_024 * 1_024)
    const sync = await adb.sync()
    await sync.write({
      filename: '/sdcard/new/folder/f.bin',
      file: streamOf(content),
      permission: 0o640,
      mtime: 1_700_000_000,
    })
    expect(phone.files.read('/sdcard/new/folder/f.bin')).toMatchObject({ mode: 0o640, mtime: 1_700_000_000_000 })
    expect((await joined(sync.read('/storage/emulated/0/new/folder/f.bin'))).equals(content)).toBe(true)
    expect(await sync.lstat('/sdcard/new/folder/f.bin')).toMatchObject({
      size: BigInt(content.length),
      permission: 0o640,
    })
    expect((await sync.lstat('/sdcard')).type).toBe(4)
    await expect(sync.lstat('/sdcard/nothing')).rejects.toThrow()
    expect((await sync.readdir('/sdcard/new')).map(({ name }) => name)).toEqual(['folder'])
    expect(await sync.readdir('/sdcard/nothing')).toEqual([])
    await sync.dispose()
  })

  test('a refused file leaves the session usable', async () => {
    const { adb } = await device()
    const sync = await adb.sync()
    const write = (filename: string) => sync.write({ filename, file: streamOf(randomBytes(200_000)) })
    await expect(write('/system/x')).rejects.toThrow('Read-only file system')
    await expect(write('/sdcard')).rejects.toThrow('Is a directory')
    await expect(joined(sync.read('/sdcard/none'))).rejects.toThrow('No such file')
    await write('/sdcard/ok')
    expect((await joined(sync.read('/sdcard/ok'))).length).toBe(200_000)
    await sync.dispose()
  })
})

describe('sockets', () => {
  test('carry bytes both ways until one side hangs up', async () => {
    const { adb, phone } = await device()
    let hangUp = () => {}
    phone.listeners.set('com.svc.operator', socket => {
      hangUp = socket.hangUp
      socket.onHeard(bytes => socket.say(Buffer.from(Buffer.from(bytes).toString().toUpperCase())))
    })
    const socket = await adb.createSocket('localabstract:com.svc.operator')
    const writer = socket.writable.getWriter()
    const reader = socket.readable.getReader()
    await writer.write(Buffer.from('hello'))
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('HELLO')
    hangUp()
    expect((await reader.read()).done).toBe(true)
    await expect(adb.createSocket('localabstract:nobody')).rejects.toThrow()
  })

  test('what an app says before it hangs up arrives whole', async () => {
    const { adb, phone } = await device()
    const content = randomBytes(5_000_000)
    phone.listeners.set('app', socket => {
      socket.say(content)
      setImmediate(socket.hangUp)
    })
    const socket = await adb.createSocket('localabstract:app')
    expect((await joined(socket.readable)).equals(content)).toBe(true)
  })
})
