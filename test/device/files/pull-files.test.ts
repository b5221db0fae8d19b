import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Link, LinkError } from '../../../src/device/link/link.ts'
import { transferScene } from '../../support/device/transfer-scene.ts'

const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex')

let scene: ReturnType<typeof transferScene>
const start = (change?: (link: Link) => Partial<Link>) => {
  scene = transferScene(change)
  scene.phone.files.write('/sdcard/a.txt', Buffer.from('hello'))
}
beforeEach(() => start())
afterEach(() => scene.close())

const put = (path: string, text: string) => scene.phone.files.write(path, Buffer.from(text))
const read = (...parts: string[]) => readFileSync(scene.at(...parts), 'utf8')

describe('pull_file', () => {
  test('writes a file where it is told, and says what arrived', async () => {
    const { data } = await scene.run('pull_file', { from: '/sdcard/a.txt', to: scene.at('b.txt') })
    expect(data).toEqual({ path: scene.at('b.txt'), bytes: '5', sha256: sha256('hello'), files: '1' })
    expect(read('b.txt')).toBe('hello')
    expect(scene.onHost()).toEqual(['b.txt'])
  })

  test('keeps its name in a folder that is there, and refuses one that is not', async () => {
    mkdirSync(scene.at('dir'))
    const { data } = await scene.run('pull_file', { from: '/sdcard/a.txt', to: scene.at('dir') })
    expect(data.path).toBe(scene.at('dir', 'a.txt'))
    const missing = await scene.run('pull_file', { from: '/sdcard/a.txt', to: scene.at('none', 'b') })
    const slash = await scene.run('pull_file', { from: '/sdcard/a.txt', to: `${scene.at('none')}/` })
    expect([missing.data.error, slash.data.error]).toEqual(['FILE_NOT_FOUND', 'FILE_NOT_FOUND'])
  })

  test('replaces a file only when it is told to', async () => {
    writeFileSync(scene.at('b.txt'), 'mine')
    const kept = await scene.run('pull_file', { from: '/sdcard/a.txt', to: scene.at('b.txt') })
    expect([kept.data.error, read('b.txt')]).toEqual(['FILE_EXISTS', 'mine'])
    await scene.run('pull_file', { from: '/sdcard/a.txt', to: scene.at('b.txt'), overwrite: true })
    expect(read('b.txt')).toBe('hello')
  })

  test('brings a whole folder, odd names and empty folders too', async () => {
    const odd = "it's  $(reboot)\nline"
    put(`/sdcard/d/${odd}`, 'odd')
    put('/sdcard/d/e/f/g', 'deep')
    scene.phone.files.mkdir('/sdcard/d/empty')
    const { data } = await scene.run('pull_file', { from: '/sdcard/d/', to: scene.at('got') })
    const list = `${sha256('deep')}  e/f/g\n${sha256('odd')}  ${odd}\n`
    expect(data).toEqual({ path: scene.at('got'), bytes: '7', sha256: sha256(list), files: '2' })
    expect(scene.onHost()).toEqual(['got', 'got/e', 'got/e/f', 'got/e/f/g', 'got/empty', `got/${odd}`].sort())
  })

  test('joins a folder with one that is there, but follows no link out of it', async () => {
    put('/sdcard/d/sub/new', 'new')
    mkdirSync(scene.at('d', 'sub'), { recursive: true })
    writeFileSync(scene.at('d', 'sub', 'old'), 'old')
    const pull = () => scene.run('pull_file', { from: '/sdcard/d', to: scene.at(), overwrite: true })
    expect((await pull()).data.path).toBe(scene.at('d'))
    expect([read('d', 'sub', 'old'), read('d', 'sub', 'new')]).toEqual(['old', 'new'])
    mkdirSync(scene.at('elsewhere'))
    put('/sdcard/d/out/x', 'x')
    symlinkSync(scene.at('elsewhere'), scene.at('d', 'out'))
    expect((await pull()).data.error).toBe('FILE_EXISTS')
    expect(existsSync(scene.at('elsewhere', 'x'))).toBe(false)
    expect(scene.onHost().filter(path => path.includes('.svc-'))).toEqual([])
  })

  test('refuses links and FIFOs of the phone by their names, and what is not there', async () => {
    scene.phone.files.link('/sdcard/d/link', '/sdcard/a.txt')
    scene.phone.files.fifo('/sdcard/p/pipe')
    for (const [from, name] of [
      ['/sdcard/d', '/sdcard/d/link'],
      ['/sdcard/d/link', '/sdcard/d/link'],
      ['/sdcard/p', '/sdcard/p/pipe'],
    ]) {
      const { data } = await scene.run('pull_file', { from, to: scene.at('x') })
      expect(data).toMatchObject({ error: 'FILE_REFUSED', message: expect.stringContaining(name ?? '') })
    }
    expect((await scene.run('pull_file', { from: '/sdcard/none', to: scene.at('x') })).data.error).toBe(
      'FILE_NOT_FOUND',
    )
    expect((await scene.run('pull_file', { from: '/data/data', to: scene.at('x') })).data.error).toBe('FILE_REFUSED')
    expect(scene.onHost()).toEqual([])
  })

  test('follows a link to a folder, as /sdcard itself is one on phones', async () => {
    put('/sdcard/d/f', 'f')
    scene.phone.files.link('/data/local/tmp/shared', '/sdcard/d')
    const { data } = await scene.run('pull_file', { from: '/data/local/tmp/shared', to: scene.at('x') })
    expect(data).toMatchObject({ files: '1' })
    expect(read('x', 'f')).toBe('f')
  })
})

describe('names from the phone', () => {
  const listing =
    (records: string[]) =>
    (link: Link): Partial<Link> => ({
      async *output(command, options) {
        if (!command.startsWith('find ')) return yield* link.output(command, options)
        for (const record of records) yield Buffer.from(record, 'latin1')
      },
    })

  test.each([
    ['that lead out of the folder', '81a4 1 1 /sdcard/d/../../x//\n'],
    ['that lead elsewhere', '81a4 1 1 /etc/passwd//\n'],
    ['that are the folder', '81a4 1 1 /sdcard/d/.//\n'],
    ['that are cut off', '81a4 1 1 /sdcard/d/x'],
    ['that are no list', 'Segmentation fault//\n'],
  ])('%s are refused', async (_, record) => {
    scene.close()
    start(listing([record]))
    put('/sdcard/d/x', 'x')
    const { data } = await scene.run('pull_file', { from: '/sdcard/d', to: scene.at('got') })
    expect(data).toMatchObject({ error: 'FILE_REFUSED', message: expect.stringContaining('cannot be read') })
    expect(scene.onHost()).toEqual([])
  })

  test('that are no UTF-8 are refused by what they resemble', async () => {
    scene.close()
    start(listing(['81a4 1 1 /sdcard/d/caf\xe9//\n']))
    put('/sdcard/d/x', 'x')
    const { data } = await scene.run('pull_file', { from: '/sdcard/d', to: scene.at('got') })
    expect(data.message).toContain('/sdcard/d/caf\ufffd: its name is no UTF-8')
  })
})

describe('a pull that fails', () => {
  const failing = async (change: (link: Link) => Partial<Link>, more: object = {}) => {
    scene.close()
    start(change)
    writeFileSync(scene.at('b.txt'), 'mine')
    return scene.run('pull_file', { from: '/sdcard/a.txt', to: scene.at('b.txt'), overwrite: true }, more)
  }
  const unchanged = () => expect([scene.onHost(), read('b.txt')]).toEqual([['b.txt'], 'mine'])
  const output =
    (work: (path: string) => AsyncGenerator<Uint8Array>) =>
    (link: Link): Partial<Link> => ({
      output: (command, options) => (command.startsWith('cat ') ? work(command) : link.output(command, options)),
    })

  test('in the middle leaves what was there, and nothing else', async () => {
    const change = output(async function* () {
      yield Buffer.from('he')
      throw new LinkError('LINK_SOCKET_REFUSED', 'the device refuses: cat: /sdcard/a.txt: I/O error')
    })
    expect((await failing(change)).data).toMatchObject({
      error: 'FILE_REFUSED',
      message: expect.stringContaining('I/O error'),
    })
    unchanged()
  })

  test('by bytes that are not those of the phone is noticed', async () => {
    const change = output(async function* () {
      yield Buffer.from('hullo')
    })
    expect((await failing(change)).data).toMatchObject({
      error: 'FILE_REFUSED',
      message: expect.stringContaining('changed'),
    })
    unchanged()
  })

  test('by a lost link, or a caller who cancels, is tidied up', async () => {
    const lost = output(async function* () {
      yield Buffer.from('he')
      throw new LinkError('DEVICE_LINK_LOST', 'gone')
    })
    const { data } = await failing(lost)
    expect(data).toMatchObject({
      error: 'FILE_REFUSED',
      message: expect.stringMatching(/^gone when 2 bytes of 5 bytes were fetched; nothing was changed at /),
    })
    unchanged()
    const caller = new AbortController()
    const cancelled = output(async function* () {
      yield Buffer.from('he')
      caller.abort()
      yield Buffer.from('llo')
      throw new LinkError('LINK_CANCELLED', 'cancelled')
    })
    await expect(failing(cancelled, { signal: caller.signal })).rejects.toThrow()
    unchanged()
  })
})

test('a phone without sha256sum is believed', async () => {
  scene.close()
  start(link => ({
    shell: (line, options) => link.shell(line.replaceAll('sha256sum', 'no-such-tool'), options),
  }))
  const { data } = await scene.run('pull_file', { from: '/sdcard/a.txt', to: scene.at('b') })
  expect(data.sha256).toBe(sha256('hello'))
})

test('a caller with file roots writes only below them', async () => {
  mkdirSync(scene.at('open'))
  mkdirSync(scene.at('closed'))
  symlinkSync(scene.at('closed'), scene.at('open', 'out'))
  const fileRoots = [scene.at('open')]
  const pull = (to: string) => scene.run('pull_file', { from: '/sdcard/a.txt', to }, { fileRoots })
  for (const to of [scene.at('closed', 'x'), scene.at('open', 'out', 'x'), scene.at('open', 'out')])
    expect((await pull(to)).data.error).toBe('FILE_REFUSED')
  expect((await pull(scene.at('open'))).data.path).toBe(scene.at('open', 'a.txt'))
  expect(existsSync(scene.at('closed', 'x')) || existsSync(scene.at('closed', 'a.txt'))).toBe(false)
})
