/** What every link does, whichever transport carries it. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CallOptions, type Link, LinkError, type LinkStream } from '../../../src/device/link/link.ts'
import { commandLine } from '../../../src/runtime/text/quote.ts'
import { until } from '../../support/until.ts'
import type { FakeDevice } from './fake-services.ts'
import { linkFilesSuite } from './link-files-suite.ts'

export interface LinkSetup {
  device: FakeDevice
  link: Link
  close(): Promise<void>
}

export const within = (ms: number): CallOptions => ({ deadline: Date.now() + ms })
const soon = () => within(20_000)

export const codeOf = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    value => `resolved: ${JSON.stringify(value)}`,
    error => (error instanceof LinkError ? error.code : String(error)),
  )

const textOf = async (stream: LinkStream): Promise<string> => {
  const parts: Uint8Array[] = []
  for await (const chunk of stream.chunks) parts.push(chunk)
  return Buffer.concat(parts).toString()
}

export const linkSuite = (name: string, start: () => Promise<LinkSetup>) =>
  describe(name, () => {
    let setup: LinkSetup
    beforeAll(async () => {
      setup = await start()
    })
    afterAll(() => setup?.close())

    test('a command gives its exit code, and stdout and stderr apart', async () => {
      const { link } = setup
      expect(await link.shell('echo out; echo err >&2; exit 7', soon())).toEqual({
        exitCode: 7,
        stdout: 'out\n',
        stderr: 'err\n',
      })
    })

    test('a command that fills stderr first is drained', async () => {
      const filled = await setup.link.shell('head -c 3000000 /dev/zero >&2; echo done', soon())
      expect([filled.stdout, filled.stderr.length]).toEqual(['done\n', 3_000_000])
    })

    test.each(["it's", '$HOME `id` "x"', 'a\nb', 'ünï 漢字 😀', '-n', '*', '', '\\', "'; reboot #"])(
      'a quoted word arrives as it was: %j',
      async word => {
        expect((await setup.link.shell(commandLine('printf', '%s', word), soon())).stdout).toBe(word)
      },
    )

    test('blanks in a line are kept', async () => {
      expect((await setup.link.shell("  printf '%s'  'a   b' ' ' ", soon())).stdout).toBe('a   b ')
    })

    test('stdin of any size arrives whole', async () => {
      const stdin = randomBytes(1_500_000)
      const { stdout } = await setup.link.shell('wc -c', { ...soon(), stdin })
      expect(Number(stdout)).toBe(stdin.length)
    })

    test('empty stdin ends at once', async () => {
      expect((await setup.link.shell('cat; echo end', { ...soon(), stdin: new Uint8Array() })).stdout).toBe('end\n')
    })

    test('a command that does not read its stdin still ends', async () => {
      const ended = await setup.link.shell('exit 3', { ...soon(), stdin: new Uint8Array(4_000_000) })
      expect(ended.exitCode).toBe(3)
    })

    test('raw output comes back byte for byte', async () => {
      const stdin = randomBytes(700_000)
      const { link } = setup
      expect((await link.exec(commandLine('printf', '\\000\\377\\r\\n'), soon())).toString()).toBe(
        Buffer.from([0, 255, 13, 10]).toString(),
      )
      const file = `/tmp/svc-link-suite-${process.pid}`
      await link.shell(`cat > ${file}`, { ...soon(), stdin })
      expect(Buffer.compare(await link.exec(`cat ${file}`, soon()), stdin)).toBe(0)
      expect(Buffer.compare(await link.pull(file, soon()), stdin)).toBe(0)
      await link.shell(`rm ${file}`, soon())
    })

    test('a file that is not there is refused with the words of the device', async () => {
      await expect(setup.link.pull('/no/such/file', soon())).rejects.toThrow(/No such file/)
    })

    test.each([0, 1, 65_536, 5_000_000])('a file of %i bytes is pushed', async size => {
      const content = randomBytes(size)
      await setup.link.push("/data/local/tmp/it's.bin", content, soon())
      expect(setup.device.files.get("/data/local/tmp/it's.bin")?.equals(content)).toBe(true)
    })

    test('a file that the device will not have is refused with its words', async () => {
      await expect(setup.link.push('/readonly/x', new Uint8Array(3_000_000), soon())).rejects.toThrow(/Read-only/)
    })

    linkFilesSuite(() => setup)

    test('a running command is read as it prints, and ends with its exit', async () => {
      const stream = await setup.link.stream('for i in 1 2 3; do echo $i; sleep 0.05; done', soon())
      expect(await textOf(stream)).toBe('1\n2\n3\n')
      stream.close()
      stream.close()
    })

    test('a slow reader of a command that has ended gets all of it', async () => {
      const stream = await setup.link.stream('for i in $(seq 1 400); do echo line-$i; done', soon())
      await until(() => setup.device.open.size === 0, 'the command to end').catch(() => {})
      expect((await textOf(stream)).trim().split('\n').length).toBe(400)
      stream.close()
    })

    test('closing a stream ends its command on the device', async () => {
      const stream = await setup.link.stream('while :; do echo tick; sleep 0.02; done', soon())
      for await (const chunk of stream.chunks) if (chunk.length > 0) break
      stream.close()
      await until(() => setup.device.open.size === 0, 'the command to be ended')
    })

    test('a socket carries bytes both ways until it is closed', async () => {
      const socket = await setup.link.socket('localabstract:echo', soon())
      const sent = randomBytes(2_000_000)
      const received: Uint8Array[] = []
      const reading = (async () => {
        let bytes = 0
        for await (const chunk of socket.chunks) {
          received.push(chunk)
          bytes += chunk.length
          if (bytes >= sent.length) return
        }
      })()
      await socket.write(sent.subarray(0, 10))
      await socket.write(sent.subarray(10))
      await reading
      expect(Buffer.concat(received).equals(sent)).toBe(true)
      socket.close()
      await until(() => setup.device.open.size === 0, 'the socket to be closed on the device')
      expect(await codeOf(socket.write(sent))).toBe('LINK_CANCELLED')
    })

    test('a socket that the device ends gives its last bytes, ends, and takes no more', async () => {
      const socket = await setup.link.socket('localabstract:one-word', soon())
      await socket.write(Buffer.from('bye'))
      const parts: string[] = []
      for await (const chunk of socket.chunks) parts.push(Buffer.from(chunk).toString())
      expect(parts.join('')).toBe('bye')
      expect(await codeOf(socket.write(Buffer.from('more')))).toBe('LINK_SOCKET_REFUSED')
      socket.close()
    })

    test('a service that nobody offers is refused, and the link goes on', async () => {
      expect(await codeOf(setup.link.socket('localabstract:nobody', soon()))).toBe('LINK_SOCKET_REFUSED')
      expect(setup.link.lost.aborted).toBe(false)
      expect((await setup.link.shell('echo on', soon())).stdout).toBe('on\n')
    })

    test('the longest line arrives whole, one byte more is refused before it is sent', async () => {
      const { link, device } = setup
      const longest = 65_535 - 'shell,v2,raw:printf %s  | wc -c'.length
      const line = (length: number) => `printf %s ${'x'.repeat(length)} | wc -c`
      expect(Number((await link.shell(line(longest), soon())).stdout)).toBe(longest)
      const opened = device.opened.length
      expect(await codeOf(link.shell(line(longest + 1), soon()))).toBe('LINK_COMMAND_TOO_LONG')
      expect(await codeOf(link.exec(line(200_000), soon()))).toBe('LINK_COMMAND_TOO_LONG')
      // Bytes, not characters.
      expect(await codeOf(link.stream(`echo ${'漢'.repeat(30_000)}`, soon()))).toBe('LINK_COMMAND_TOO_LONG')
      expect(device.opened.length).toBe(opened)
    })

    test('a deadline ends a call, and the command on the device', async () => {
      expect(await codeOf(setup.link.shell('sleep 60', within(100)))).toBe('LINK_TIMEOUT')
      await until(() => setup.device.open.size === 0, 'the command to be ended')
      expect(setup.link.lost.aborted).toBe(false)
    })

    test('a deadline that has passed sends nothing', async () => {
      const opened = setup.device.opened.length
      expect(await codeOf(setup.link.shell('echo no', within(-1)))).toBe('LINK_TIMEOUT')
      expect(setup.device.opened.length).toBe(opened)
    })

    test('a caller ends its call, and the command on the device', async () => {
      const caller = new AbortController()
      const call = codeOf(setup.link.shell('sleep 60', { ...soon(), signal: caller.signal }))
      await until(() => setup.device.open.size === 1, 'the command to run')
      caller.abort()
      expect(await call).toBe('LINK_CANCELLED')
      await until(() => setup.device.open.size === 0, 'the command to be ended')
      const late = setup.link.shell('echo no', { ...soon(), signal: caller.signal })
      expect(await codeOf(late)).toBe('LINK_CANCELLED')
    })

    test('many calls at once all come back with their own answer', async () => {
      const calls = Array.from({ length: 60 }, async (_, i) => (await setup.link.shell(`echo ${i}`, soon())).stdout)
      expect(await Promise.all(calls)).toEqual(calls.map((_, i) => `${i}\n`))
    })

    test('the hardware serial is asked once', async () => {
      const { link, device } = setup
      const asked = () => device.opened.filter(service => service.includes('ro.serialno')).length
      expect([await link.hardwareSerial(soon()), await link.hardwareSerial(soon())]).toEqual(['FAKE0001', 'FAKE0001'])
      expect(asked()).toBe(1)
    })
  })
