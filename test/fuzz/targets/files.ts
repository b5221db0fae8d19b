/** Binary files: APKs, and pictures that a phone or a flow has. */
import { crc32, deflateSync, inflateSync } from 'node:zlib'
import { readApkBytes } from '../../../src/device/apk/read-apk.ts'
import { cropPng } from '../../../src/device/crop-png.ts'
import { isImage } from '../../../src/device/screenshot-file.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { comparePictures } from '../../../src/service/flows/run/compare-pictures.ts'
import { binaryXml, zipOf } from '../../support/device/built-apk.ts'
import { mutateBytes, oneOf } from '../mutate/bytes.ts'
import { mutatePieces } from '../mutate/pieces.ts'
import { expectSame, expectThat, type Mutate, stateless, type Target } from '../target.ts'

const manifestOf = (utf8: boolean) =>
  binaryXml(
    {
      tag: 'manifest',
      attributes: { package: 'com.example', versionCode: 7, versionName: '1.2', split: 'config.en' },
      children: [
        { tag: 'uses-sdk', attributes: { minSdkVersion: 24 } },
        {
          tag: 'application',
          attributes: { debuggable: true },
          children: [
            {
              tag: 'activity',
              attributes: { name: '.Main' },
              children: [
                {
                  tag: 'intent-filter',
                  children: [
                    { tag: 'action', attributes: { name: 'android.intent.action.MAIN' } },
                    { tag: 'category', attributes: { name: 'android.intent.category.LAUNCHER' } },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
    { utf8 },
  )

const apkOf = (manifest: Buffer, stored = true) =>
  zipOf([
    { name: 'classes.dex', content: Buffer.from('dex') },
    { name: 'AndroidManifest.xml', content: manifest, stored },
  ])

/** The manifest is changed within an archive that is right around it. */
const mutateManifest: Mutate = (input, tools) => {
  const at = input.indexOf('AndroidManifest.xml') + 'AndroidManifest.xml'.length
  const end = input.indexOf('PK\x01\x02', at)
  if (end <= at) return mutateBytes(input, tools)
  return apkOf(mutateBytes(input.subarray(at, end), tools))
}

export const apks: Target = {
  name: 'apks',
  seeds: [apkOf(manifestOf(true)), apkOf(manifestOf(false)), apkOf(manifestOf(true), false)],
  mutate: oneOf(mutateManifest, mutateManifest, mutateBytes),
  open: stateless(input => {
    const read = readApkBytes(input)
    if (!read.ok) {
      expectThat(read.problem !== '', 'a refusal without a reason')
      return 'refused'
    }
    expectThat(/^[\w.]+$/.test(read.apk.packageName), `the package ${read.apk.packageName}`)
    expectThat(read.apk.versionCode >= 0, 'a version below 0')
    return 'accepted'
  }),
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

const chunkOf = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(8 + body.length)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), 4 + body.length)
  return framed
}

const WIDTH = 4
const PIXEL_BYTES = 4
const headerOf = (...[colourType, interlace = 0]: readonly [number, number?]) =>
  Buffer.from([0, 0, 0, WIDTH, 0, 0, 0, WIDTH, 8, colourType, 0, 0, interlace])
const pngOf = (header: Buffer, rows: Buffer): Buffer =>
  Buffer.concat([
    SIGNATURE,
    chunkOf('IHDR', header),
    chunkOf('IDAT', deflateSync(rows)),
    chunkOf('IEND', Buffer.alloc(0)),
  ])
/** Each row with another filter. */
const rowsOf = (pixelBytes: number): Buffer =>
  Buffer.concat(
    Array.from({ length: WIDTH }, (_, y) =>
      Buffer.from([y + 1, ...Array.from({ length: WIDTH * pixelBytes }, (_, x) => x * 7 + y)]),
    ),
  )

const chunksIn = mutatePieces({
  cut(input) {
    const pieces: Buffer[] = []
    for (let at = SIGNATURE.length; at + 12 <= input.length; ) {
      const end = at + 12 + input.readUInt32BE(at)
      pieces.push(input.subarray(at + 4, end - 4))
      at = end
    }
    return pieces
  },
  join: pieces =>
    Buffer.concat([SIGNATURE, ...pieces.map(piece => chunkOf(piece.toString('latin1', 0, 4), piece.subarray(4)))]),
  inner(piece, tools) {
    const [type, data] = [piece.subarray(0, 4), piece.subarray(4)]
    if (type.toString('latin1') !== 'IDAT') return Buffer.concat([type, mutateBytes(data, tools)])
    try {
      return Buffer.concat([type, deflateSync(mutateBytes(inflateSync(data), tools))])
    } catch {
      return Buffer.concat([type, mutateBytes(data, tools)])
    }
  },
})

const BOUNDS = { left: 1, top: 1, right: 3, bottom: 3 }

export const pictures: Target = {
  name: 'pictures',
  seeds: [pngOf(headerOf(6), rowsOf(PIXEL_BYTES)), pngOf(headerOf(2), rowsOf(3)), pngOf(headerOf(0), rowsOf(1))],
  mutate: oneOf(chunksIn, chunksIn, mutateBytes),
  open: stateless(async input => {
    const cropped = await cropPng(input, BOUNDS, { clock: systemClock() })
    if (cropped.ok) {
      const again = await cropPng(cropped.png, BOUNDS, { clock: systemClock() })
      if (again.ok) expectThat(again.png.length > 0, 'an empty picture')
    }
    isImage(input, input.length)
    const compared = await comparePictures(input, input).catch(error => {
      if (error instanceof Error) return undefined
      throw error
    })
    if (compared?.kind === 'compared') expectSame('the picture and itself', compared.samePercent, 100)
    return cropped.ok || compared ? 'accepted' : 'refused'
  }),
}
