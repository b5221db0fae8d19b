import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  IMAGE_HEADER_BYTES,
  isImage,
  screenshotPathProblem,
  writeScreenshot,
} from '../../src/device/screenshot-file.ts'
import { smallImages } from '../support/pictures/small-images.ts'
import { smallPng } from '../support/pictures/small-png.ts'
import { propertyRuns } from '../support/property-runs.ts'
import { temporary } from '../support/temporary.ts'

const root = temporary('svc-screenshot-')
let count = 0
const folder = () => {
  count += 1
  const path = join(root(), String(count))
  mkdirSync(path)
  return path
}
const isPicture = (path: string) => readFileSync(path).equals(Buffer.from(smallPng))

const IMAGES: Record<string, Buffer> = { ...smallImages, png: Buffer.from(smallPng), empty: Buffer.alloc(0) }

describe('may be written', () => {
  test('as a new file', async () => {
    const path = join(folder(), 'a picture.png')
    expect(await writeScreenshot({ path, png: smallPng })).toEqual({ ok: true, path })
    expect(isPicture(path)).toBe(true)
  })

  test.each(Object.keys(IMAGES))('over an image: %s', async kind => {
    const directory = folder()
    const path = join(directory, 'shot')
    writeFileSync(path, IMAGES[kind] ?? '')
    expect(await writeScreenshot({ path, png: smallPng })).toEqual({ ok: true, path })
    expect(isPicture(path)).toBe(true)
    expect(readdirSync(directory)).toEqual(['shot'])
  })

  test('through a link, which stays one', async () => {
    const directory = folder()
    writeFileSync(join(directory, 'real.png'), smallPng)
    symlinkSync('real.png', join(directory, 'link.png'))
    expect(await writeScreenshot({ path: join(directory, 'link.png'), png: smallPng })).toMatchObject({ ok: true })
    expect(lstatSync(join(directory, 'link.png')).isSymbolicLink()).toBe(true)
    expect(isPicture(join(directory, 'real.png'))).toBe(true)
  })

  test.each(['界'.repeat(85), '界'.repeat(70), '😀'.repeat(60)])('under a name of many bytes: %s', async name => {
    const directory = folder()
    expect(await writeScreenshot({ path: join(directory, name), png: smallPng })).toMatchObject({ ok: true })
    expect(readdirSync(directory)).toEqual([name])
  })

  test('under the longest name', async () => {
    const path = join(folder(), 'x'.repeat(255))
    expect(await writeScreenshot({ path, png: smallPng })).toMatchObject({ ok: true })
  })
})

describe('may not be written', () => {
  const refused = async (path: string, problem: string) => {
    expect(await screenshotPathProblem(path)).toContain(problem)
    expect(await writeScreenshot({ path, png: smallPng })).toMatchObject({
      ok: false,
      problem: expect.stringContaining(problem),
    })
  }

  test.each([
    'notes',
    'BN',
    'GIF',
    '\u0089PN',
    '{}',
    'BM is the beginning of a bitmap, and of this list of things to do.',
    'GIF89a, GIF87a and PNG: what each of them is good for, in a few words.',
    'RIFF....WEBPVP8 is how such a file begins.',
  ])('over a file that is not an image: %s', async content => {
    const path = join(folder(), 'file')
    writeFileSync(path, content)
    await refused(path, 'is not an image')
    expect(readFileSync(path, 'utf8')).toBe(content)
  })

  test('over what a link points to', async () => {
    const directory = folder()
    writeFileSync(join(directory, 'notes'), 'notes')
    symlinkSync('notes', join(directory, 'link.png'))
    await refused(join(directory, 'link.png'), 'is not an image')
  })

  test('over a device', async () => {
    await refused('/dev/null', 'is not a regular file')
  })

  test('over a directory', async () => {
    await refused(folder(), 'is a directory')
  })

  test('under a name that is a directory by its last character', async () => {
    const directory = folder()
    await refused(join(directory, 'shot.png/'), 'names a directory')
    await refused(`${directory}/`, 'names a directory')
    expect(readdirSync(directory)).toEqual([])
  })

  test('into a directory that does not exist', async () => {
    const path = join(folder(), 'missing', 'shot.png')
    await refused(path, 'does not exist')
    expect(existsSync(join(path, '..'))).toBe(false)
  })

  test('below a file', async () => {
    const path = join(folder(), 'file')
    writeFileSync(path, 'x')
    await refused(join(path, 'shot.png'), 'ENOTDIR')
  })

  test.each(['shot.png', '', './shot.png'])('under the relative path "%s"', async path => {
    await refused(path, 'is not absolute')
  })

  test('under a name with a NUL', async () => {
    await refused('/tmp/a\0b', 'NUL')
  })

  test('where the system does not allow it; nothing is left behind', async context => {
    if (process.getuid?.() === 0) context.skip('root may write everywhere')
    const directory = folder()
    chmodSync(directory, 0o500)
    expect(await writeScreenshot({ path: join(directory, 'a.png'), png: smallPng })).toMatchObject({ ok: false })
    expect(readdirSync(directory)).toEqual([])
  })

  test('when the writing itself fails; nothing is left behind', async () => {
    const directory = folder()
    const unwritable = 42 as unknown as Uint8Array
    const path = join(directory, 'a.png')
    expect(await writeScreenshot({ path, png: unwritable })).toMatchObject({
      ok: false,
      problem: expect.stringContaining('cannot be written'),
    })
    expect(readdirSync(directory)).toEqual([])
  })

  test.each(['x'.repeat(256), '界'.repeat(86), 'x/'.repeat(3_000).concat('x')])(
    'under a name that is too long',
    async name => {
      await refused(join(folder(), name), 'ENAMETOOLONG')
    },
  )

  test('under a name that is too long', async () => {
    const directory = folder()
    expect(await writeScreenshot({ path: join(directory, 'x'.repeat(256)), png: smallPng })).toMatchObject({
      ok: false,
    })
    expect(readdirSync(directory)).toEqual([])
  })
})

const images = Object.entries({ ...smallImages, png: Buffer.from(smallPng) })

test.each(images)('a picture: %s', (_, bytes) => {
  expect(isImage(bytes, bytes.length)).toBe(true)
})

test.each(images)('what begins like one and is cut short is none: %s', (_, bytes) => {
  for (const length of [2, 4, 6, 12]) expect(isImage(bytes.subarray(0, length), length)).toBe(false)
})

test('a text is no picture, however it begins', () => {
  const beginnings = fc.constantFrom(
    'BM',
    'GIF87a',
    'GIF89a',
    'GIF89a\u0001',
    '\u0089PNG\r\n',
    'RIFFsizeWEBPVP8 ',
    'RIFF',
    '\u00ff\u00d8\u00ff',
  )
  const rest = fc.string({ unit: fc.constantFrom(...' \t\nabcGI,;!.0', '\u00e9', '\u00ff'), maxLength: 60 })
  fc.assert(
    fc.property(beginnings, rest, fc.constantFrom('latin1', 'utf8'), (begin, end, encoding) => {
      const bytes = Buffer.from(begin + end, encoding as BufferEncoding)
      expect(isImage(bytes, bytes.length)).toBe(false)
    }),
    { numRuns: propertyRuns(2_000) },
  )
})

test('a JPEG with a long first segment is known by what fits', () => {
  const long = Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff]),
    Buffer.alloc(65_533),
    Buffer.from([0xff, 0xdb]),
  ])
  expect(long.length).toBeLessThan(IMAGE_HEADER_BYTES)
  expect(isImage(long, long.length)).toBe(true)
})
