/** What every link does with files, and with output that is read as it comes. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import { codeOf, type LinkSetup, within } from './link-suite.ts'

const soon = () => within(20_000)

export const linkFilesSuite = (setup: () => LinkSetup) => {
  test('a file is pushed in chunks as they come, of any size, and read back in chunks', async () => {
    const content = randomBytes(3_000_000)
    const cuts = [0, 1, 10, 70_000, 2_000_000, content.length]
    const chunks = (async function* () {
      for (const [at, end] of cuts.entries()) yield content.subarray(cuts[at - 1] ?? 0, end)
    })()
    await setup().link.push('/data/local/tmp/chunks.bin', chunks, soon())
    expect(setup().device.files.get('/data/local/tmp/chunks.bin')?.equals(content)).toBe(true)
    const { stdout } = await setup().link.shell('wc -c', {
      ...soon(),
      stdin: (async function* () {
        yield content
      })(),
    })
    expect(Number(stdout)).toBe(content.length)
  })

  test('a refusal in the middle of a push ends it, and no more of the content is read', async () => {
    let isReleased = false
    let read = 0
    const endless = (async function* () {
      try {
        for (;;) {
          read += 1
          yield Buffer.alloc(65_536)
        }
      } finally {
        isReleased = true
      }
    })()
    await expect(setup().link.push('/full/x', endless, soon())).rejects.toThrow(/No space left on device/)
    await until(() => isReleased, 'the content to be released')
    expect(read).toBeLessThan(1_000)
  })

  test('content that cannot be read ends the push with its own error, and the file is not there', async () => {
    const broken = (async function* () {
      yield Buffer.alloc(100)
      throw new Error('the disk was pulled')
    })()
    await expect(setup().link.push('/data/local/tmp/broken', broken, soon())).rejects.toThrow('the disk was pulled')
    expect(setup().device.files.has('/data/local/tmp/broken')).toBe(false)
  })

  test('a push whose content does not come ends with its deadline and with its caller', async () => {
    const silent = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) }
    expect(await codeOf(setup().link.push('/data/local/tmp/silent', silent, within(100)))).toBe('LINK_TIMEOUT')
    const caller = new AbortController()
    const pushed = codeOf(setup().link.push('/data/local/tmp/silent', silent, { ...soon(), signal: caller.signal }))
    caller.abort()
    expect(await pushed).toBe('LINK_CANCELLED')
  })

  test('the output of a command comes as it is read, and its failure at the end', async () => {
    const read: Uint8Array[] = []
    const reading = (async () => {
      for await (const chunk of setup().link.output('head -c 200000 /dev/zero; echo no >&2; exit 3', soon()))
        read.push(chunk)
    })()
    await expect(reading).rejects.toThrow('the device refuses: no')
    expect(Buffer.concat(read).length).toBe(200_000)
  })

  test('a file is read in chunks; one that is not there is refused with the words of the device', async () => {
    const file = '/data/local/tmp/read.bin'
    const content = randomBytes(700_000)
    await setup().link.push(file, content, soon())
    const read: Uint8Array[] = []
    for await (const chunk of setup().link.read(file, soon())) read.push(chunk)
    expect(Buffer.concat(read).equals(content)).toBe(true)
    const missing = setup().link.read('/no/such/file', soon())
    await expect(missing[Symbol.asyncIterator]().next()).rejects.toThrow(/No such file/)
  })

  test('reading ends with its deadline, also while nobody reads, and ends its command when the reader leaves', async () => {
    const reader = setup().link.output('yes', within(2_000))[Symbol.asyncIterator]()
    await reader.next()
    await until(() => setup().device.open.size === 0, 'the command to be ended')
    const rest = (async () => {
      for (;;) if ((await reader.next()).done) return 'done'
    })()
    expect(await codeOf(rest)).toBe('LINK_TIMEOUT')
    for await (const chunk of setup().link.output('yes', soon())) if (chunk.length > 0) break
    await until(() => setup().device.open.size === 0, 'the command to be ended')
  })
}
