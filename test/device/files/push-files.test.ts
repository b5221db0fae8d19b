import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LinkError } from '../../../src/device/link/link.ts'
import { StepFailure } from '../../../src/device/screen/step-failure.ts'
import { transferScene } from '../../support/device/transfer-scene.ts'

const TMP = '/data/local/tmp'
const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex')

let scene: ReturnType<typeof transferScene>
beforeEach(() => {
  scene = transferScene()
  writeFileSync(scene.at('a.txt'), 'hello')
})
afterEach(() => scene.close())

const read = (path: string) => {
  const file = scene.phone.files.read(path)
  return file && Buffer.from(file.content).toString()
}

describe('push_file', () => {
  test('puts a file where it is told, and says what arrived', async () => {
    const { data } = await scene.run('push_file', { from: scene.at('a.txt'), to: '/sdcard/x/y/b.txt' })
    expect(data).toEqual({
      path: '/sdcard/x/y/b.txt',
      bytes: '5',
      sha256: sha256('hello'),
      files: '1',
      made_folder: '/sdcard/x/y',
    })
    expect(read('/sdcard/x/y/b.txt')).toBe('hello')
    expect(await scene.onPhone('/sdcard/x')).toEqual(['/sdcard/x/y', '/sdcard/x/y/b.txt'])
  })

  test.each(['/sdcard/Download', '/sdcard/Download/', '/sdcard/new/'])(
    'keeps its name below the folder %s',
    async to => {
      const { data } = await scene.run('push_file', { from: scene.at('a.txt'), to })
      expect(data.path).toBe(`${to.replace(/\/$/, '')}/a.txt`)
      expect(data.made_folder).toBe(to === '/sdcard/new/' ? '/sdcard/new' : undefined)
      expect(read(data.path ?? '')).toBe('hello')
    },
  )

  test('replaces a file, unless it is told not to', async () => {
    await scene.run('push_file', { from: scene.at('a.txt'), to: `${TMP}/a` })
    writeFileSync(scene.at('a.txt'), 'again')
    const kept = await scene.run('push_file', { from: scene.at('a.txt'), to: `${TMP}/a`, overwrite: false })
    expect([kept.data.error, read(`${TMP}/a`)]).toEqual(['FILE_EXISTS', 'hello'])
    await scene.run('push_file', { from: scene.at('a.txt'), to: `${TMP}/a` })
    expect(read(`${TMP}/a`)).toBe('again')
  })

  test.each(['it\'s  $(reboot) `x` "q" \\ a.txt', 'line\nfeed', '-rf', 'ümlaut ✓', '*', ';'])(
    'takes the name %j as it is',
    async name => {
      writeFileSync(scene.at(name), name)
      const { data } = await scene.run('push_file', { from: scene.at(name), to: '/sdcard/odd/' })
      expect(data.path).toBe(`/sdcard/odd/${name}`)
      expect(read(`/sdcard/odd/${name}`)).toBe(name)
      expect((await scene.shell('find /sdcard/odd -type f -print0')).split('\0').length).toBe(2)
    },
  )

  test('brings a whole folder, with the empty ones, and its digest is that of the list of its files', async () => {
    mkdirSync(scene.at('site', 'css', 'deep'), { recursive: true })
    mkdirSync(scene.at('site', 'empty'))
    writeFileSync(scene.at('site', 'index.html'), '<p>')
    writeFileSync(scene.at('site', 'css', 'deep', 'a.css'), 'p{}')
    const { data } = await scene.run('push_file', { from: scene.at('site'), to: '/sdcard/site' })
    const list = `${sha256('p{}')}  css/deep/a.css\n${sha256('<p>')}  index.html\n`
    expect(data).toEqual({ path: '/sdcard/site', bytes: '6', sha256: sha256(list), files: '2' })
    expect(await scene.onPhone('/sdcard/site')).toEqual([
      '/sdcard/site/css',
      '/sdcard/site/css/deep',
      '/sdcard/site/css/deep/a.css',
      '/sdcard/site/empty',
      '/sdcard/site/index.html',
    ])
  })

  test('joins a folder with one that is there, and leaves what only the phone has', async () => {
    mkdirSync(scene.at('site'))
    writeFileSync(scene.at('site', 'new'), 'new')
    scene.phone.files.write('/sdcard/site/old', Buffer.from('old'))
    scene.phone.files.write('/sdcard/site/new', Buffer.from('before'))
    await scene.run('push_file', { from: scene.at('site'), to: '/sdcard/' })
    expect([read('/sdcard/site/old'), read('/sdcard/site/new')]).toEqual(['old', 'new'])
    expect(await scene.onPhone('/sdcard/site')).toEqual(['/sdcard/site/new', '/sdcard/site/old'])
    scene.phone.files.write('/sdcard/other/new/x', Buffer.from('a folder'))
    const clash = await scene.run('push_file', { from: scene.at('site', 'new'), to: '/sdcard/other/' })
    expect(clash.data.error).toBe('FILE_EXISTS')
    scene.phone.files.write('/sdcard/third/site/new/x', Buffer.from('a folder'))
    const below = await scene.run('push_file', { from: scene.at('site'), to: '/sdcard/third' })
    expect(below.data).toMatchObject({
      error: 'FILE_EXISTS',
      message: expect.stringContaining('/sdcard/third/site/new'),
    })
  })

  test('refuses links and FIFOs of the host by their names, before anything is sent', async () => {
    mkdirSync(scene.at('dir'))
    symlinkSync('/etc/passwd', scene.at('dir', 'link'))
    execFileSync('mkfifo', [scene.at('pipe')])
    for (const name of ['dir', 'dir/link', 'pipe']) {
      const { data } = await scene.run('push_file', { from: scene.at(name), to: '/sdcard/x' })
      expect(data.error).toBe('FILE_REFUSED')
      expect(data.message).toContain(name === 'pipe' ? scene.at('pipe') : scene.at('dir', 'link'))
    }
    expect(await scene.shell('ls /sdcard/x')).toBe('')
    expect((await scene.run('push_file', { from: scene.at('none'), to: '/sdcard/x' })).data.error).toBe(
      'FILE_NOT_FOUND',
    )
  })

  test('refuses a link or FIFO of the phone in its place', async () => {
    scene.phone.files.link('/sdcard/link', '/data/local/tmp/x')
    scene.phone.files.fifo('/sdcard/pipe')
    for (const name of ['link', 'pipe']) {
      const { data } = await scene.run('push_file', { from: scene.at('a.txt'), to: `/sdcard/${name}` })
      expect(data).toMatchObject({ error: 'FILE_REFUSED', message: expect.stringContaining(`/sdcard/${name}`) })
    }
  })

  test('refuses what is larger than the free space before it is sent', async () => {
    scene.phone.files.write('/sdcard/large', new Uint8Array(256 * 1_024 * 1_024 - 40_000))
    writeFileSync(scene.at('big'), new Uint8Array(60_000))
    const { data } = await scene.run('push_file', { from: scene.at('big'), to: '/sdcard/big' })
    expect(data).toMatchObject({
      error: 'FILE_REFUSED',
      message: expect.stringMatching(/60\.0 kB do not fit: .* are free/),
    })
  })

  test('says the words of the phone where it may not write', async () => {
    const { data } = await scene.run('push_file', { from: scene.at('a.txt'), to: '/system/etc/x' })
    expect(data).toMatchObject({ error: 'FILE_REFUSED', message: expect.stringContaining('Read-only file system') })
  })
})

describe('a push that fails', () => {
  const broken = async (change: Parameters<typeof transferScene>[0]) => {
    scene.close()
    scene = transferScene(change)
    mkdirSync(scene.at('site'))
    for (const name of ['a', 'b', 'c']) writeFileSync(scene.at('site', name), `new ${name}`)
    scene.phone.files.write('/sdcard/site/a', Buffer.from('old a'))
    return scene.run('push_file', { from: scene.at('site'), to: '/sdcard/' })
  }
  const unchanged = async () => {
    expect(await scene.onPhone('/sdcard/site')).toEqual(['/sdcard/site/a'])
    expect(read('/sdcard/site/a')).toBe('old a')
    expect((await scene.onPhone('/sdcard')).filter(path => path.includes('.svc-'))).toEqual([])
    expect(await scene.onPhone(TMP)).toEqual([])
  }

  test('in the middle leaves what was there, and nothing else', async () => {
    let pushes = 0
    const { data } = await broken(link => ({
      push: (...args) =>
        ++pushes === 2
          ? Promise.reject(new LinkError('LINK_SOCKET_REFUSED', 'the device refuses x: No space left on device'))
          : link.push(...args),
    }))
    expect(data).toMatchObject({ error: 'FILE_REFUSED', message: expect.stringContaining('No space left on device') })
    await unchanged()
  })

  test('by bytes that were damaged on the way is noticed', async () => {
    const { data } = await broken(link => ({
      push: (path, _, options) => link.push(path, Buffer.from('bad'), options),
    }))
    expect(data).toMatchObject({ error: 'FILE_REFUSED', message: expect.stringContaining('is not what was sent') })
    await unchanged()
  })

  test('by a caller who cancels ends, and is tidied up', async () => {
    const caller = new AbortController()
    scene.close()
    scene = transferScene(link => ({
      push: (...args) => {
        caller.abort()
        return link.push(...args)
      },
    }))
    writeFileSync(scene.at('a.txt'), 'hello')
    const pushed = scene.run('push_file', { from: scene.at('a.txt'), to: '/sdcard/n/e/w/' }, { signal: caller.signal })
    await expect(pushed).rejects.toThrow()
    expect(await scene.shell('ls /sdcard/n')).toBe('')
  })

  const failingPush = (error: LinkError) =>
    broken(link => ({
      push: async (path, content, options) => {
        await link.push(path, content, options)
        throw error
      },
    }))

  test('by the loss of the link says that nothing was changed', async () => {
    const { data, error } = await failingPush(new LinkError('DEVICE_LINK_LOST', 'the link was lost'))
    expect(data).toMatchObject({
      error: 'FILE_REFUSED',
      message: expect.stringMatching(
        /^the link was lost when .*bytes were sent; nothing was changed at \/sdcard\/site$/,
      ),
    })
    expect(error?.hint).toContain('ask for the same again')
    await unchanged()
  })

  test('by its time says how much was sent', async () => {
    scene.close()
    const late = new LinkError('LINK_TIMEOUT', 'the push took too long')
    scene = transferScene(link => ({
      push: async (path, content, options) => {
        await link.push(path, content, { ...options, deadline: Number.POSITIVE_INFINITY })
        throw late
      },
    }))
    writeFileSync(scene.at('a.txt'), 'hello')
    const params = { from: scene.at('a.txt'), to: '/sdcard/a.txt' }
    const { data, error } = await scene.run('push_file', params, { deadline: 0 })
    expect(data.message).toBe(
      'the time of the execution was over when 5 bytes of 5 bytes were sent; nothing was changed at /sdcard/a.txt',
    )
    expect(error?.hint).toContain('timeoutMs')
    expect(read('/sdcard/a.txt')).toBeUndefined()
  })

  test('in the command that puts it in place is in doubt', async () => {
    const lost = new LinkError('DEVICE_LINK_LOST', 'gone')
    scene.close()
    scene = transferScene(link => ({
      shell: (line, options) => (line.startsWith('mv ') ? Promise.reject(lost) : link.shell(line, options)),
    }))
    writeFileSync(scene.at('a.txt'), 'hello')
    await expect(scene.run('push_file', { from: scene.at('a.txt'), to: '/sdcard/a.txt' })).rejects.toBe(lost)
  })

  test('leaves a draft at most, which the next one replaces', async () => {
    let isLost = true
    const lost = new LinkError('DEVICE_LINK_LOST', 'gone')
    const draft = broken(link => ({
      push: async (path, content, options) => {
        if (!isLost) return link.push(path, content, options)
        await link.push(path, Buffer.from('half'), options)
        throw lost
      },
      shell: (line, options) =>
        isLost && line.startsWith('rm -rf') ? Promise.reject(lost) : link.shell(line, options),
    }))
    expect((await draft).data.message).toContain('gone')
    isLost = false
    const { data } = await scene.run('push_file', { from: scene.at('site'), to: '/sdcard/' })
    expect(data.files).toBe('3')
    expect((await scene.onPhone('/sdcard')).filter(path => path.includes('.svc-'))).toEqual([])
  })
})

describe('a push into an application', () => {
  test('is refused for one that cannot be debugged, or is not there', async () => {
    for (const [applicationId, words] of [
      ['com.android.settings', 'not debuggable'],
      ['com.example.none', 'unknown package'],
      ['x; reboot', 'cannot be the name'],
    ]) {
      const { data } = await scene.run('push_file', { from: scene.at('a.txt'), to: 'files/', applicationId })
      expect(data).toMatchObject({ error: 'FILE_REFUSED', message: expect.stringContaining(words ?? '') })
    }
  })
})

test('how far it is is told in bytes', async () => {
  const told: unknown[] = []
  await scene.run('push_file', { from: scene.at('a.txt'), to: '/sdcard/a' }, { told: each => told.push(each) })
  expect(told).toEqual([{ what: 'sending a.txt', done: 5, total: 5 }])
})

test('a host that may no longer act on the phone sends nothing', async () => {
  const mayAct = () => {
    throw new StepFailure('FLEET_HOST_GONE', 'another host owns it')
  }
  const { data } = await scene.run('push_file', { from: scene.at('a.txt'), to: '/sdcard/a' }, { mayAct })
  expect(data.error).toBe('FLEET_HOST_GONE')
  expect(read('/sdcard/a')).toBeUndefined()
})

describe('a caller with file roots', () => {
  test('pushes only what is below them, also when a link is put in the way', async () => {
    mkdirSync(scene.at('open'))
    mkdirSync(scene.at('secret'))
    writeFileSync(scene.at('secret', 'key'), 'k')
    writeFileSync(scene.at('open', 'key'), 'mine')
    symlinkSync(scene.at('secret'), scene.at('open', 'out'))
    const fileRoots = [scene.at('open')]
    const push = (from: string) => scene.run('push_file', { from, to: '/sdcard/got' }, { fileRoots })
    for (const from of [
      scene.at('secret', 'key'),
      scene.at('open', 'out', 'key'),
      scene.at('open', '..', 'secret', 'key'),
    ])
      expect((await push(from)).data.error).toBe('FILE_REFUSED')
    expect(read('/sdcard/got')).toBeUndefined()
    expect((await push(scene.at('open', 'key'))).data.files).toBe('1')
  })
})
