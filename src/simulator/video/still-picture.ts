/**
 * Codes one picture as H.264 (baseline, sample by sample): large, and every player shows it. The encoder on npm is C as WebAssembly,
 * and much larger than these lines.
 */

/** Row after row, each pixel with red in its lowest byte, then green and blue. */
export interface Frame {
  width: number
  height: number
  pixels: Uint32Array
}

/** The type, then what every decoder of these units must know: baseline, its constraints, level 4. */
export const PROFILE = [66, 0xc0, 40] as const
const MACROBLOCK = 16

const fixed = (value: number, width: number) => value.toString(2).padStart(width, '0')
/** Exp-Golomb code of a number from 0 on. */
const code = (value: number) => fixed(value + 1, 2 * (value + 1).toString(2).length - 1)

/** Ends the bits with `last`, and fills up with zeros. */
const bytesOf = (bits: string, last = '1'): Buffer => {
  const whole = bits + last
  return Buffer.from(
    (whole + '0'.repeat(-whole.length & 7)).match(/.{8}/g)?.map(byte => Number.parseInt(byte, 2)) ?? [],
  )
}

/** A start code must not appear in a unit: two zeros are never followed by 0 to 3. */
const unit = (header: number, payload: Uint8Array): Buffer =>
  Buffer.from(
    `\u0000${Buffer.from([header]).toString('latin1')}${Buffer.from(payload).toString('latin1')}`
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these bytes are looked for.
      .replaceAll(/\0\0(?=[\0-\x03])/g, '\0\0\x03')
      .slice(1),
    'latin1',
  )

const sequenceUnit = (width: number, height: number, columns: number, rows: number): Buffer => {
  const spare = [0, columns * MACROBLOCK - width, 0, rows * MACROBLOCK - height].map(size => code(size >> 1)).join('')
  // Four bits of frame number, pictures in their order, no reference, BT.709 in limited range, no limits.
  const beginning = PROFILE.map(byte => fixed(byte, 8)).join('') + [0, 0, 2, 0].map(code).join('')
  const colours = `001${'10101'}${fixed(1, 8).repeat(3)}000000`
  return unit(0x67, bytesOf(`${beginning}0${code(columns - 1)}${code(rows - 1)}111${spare}1${colours}`))
}

const PICTURE_UNIT = unit(0x68, bytesOf(`${code(0)}${code(0)}00${code(0).repeat(3)}000${code(0).repeat(3)}100`))

const channels = (pixel: number) => [pixel & 0xff, (pixel >>> 8) & 0xff, (pixel >>> 16) & 0xff] as const

/** BT.709 with limited range. */
const LUMA = [16, 0.1826, 0.6142, 0.062] as const
const BLUE = [128, -0.1006, -0.3386, 0.4392] as const
const RED = [128, 0.4392, -0.3989, -0.0403] as const

/** Samples of one macroblock in one plane: every pixel, or every second one. The edge of the picture is repeated. */
const samples = (
  { width, height, pixels }: Frame,
  left: number,
  top: number,
  step: 1 | 2,
  of: typeof LUMA | typeof BLUE | typeof RED,
) =>
  Array.from({ length: (MACROBLOCK / step) ** 2 }, (_, at) => {
    const x = Math.min(width - 1, left + (at % (MACROBLOCK / step)) * step)
    const y = Math.min(height - 1, top + Math.floor(at / (MACROBLOCK / step)) * step)
    const [r, g, b] = channels(pixels[y * width + x] ?? 0)
    return Math.round(of[0] + of[1] * r + of[2] * g + of[3] * b)
  })

/** Header of the only slice, up to and with the type of its first macroblock; the others begin on a byte. */
const RAW = code(25)
const SLICE = `${code(0)}${code(7)}${code(0)}${fixed(0, 4)}${code(0)}00${code(0)}${code(1)}`

const pictureUnit = (frame: Frame, columns: number, rows: number): Buffer => {
  const macroblocks = Array.from({ length: columns * rows }, (_, at) => {
    const [left, top] = [(at % columns) * MACROBLOCK, Math.floor(at / columns) * MACROBLOCK]
    const planes = [
      samples(frame, left, top, 1, LUMA),
      samples(frame, left, top, 2, BLUE),
      samples(frame, left, top, 2, RED),
    ]
    return Buffer.concat([bytesOf(at === 0 ? SLICE + RAW : RAW, ''), ...planes.map(plane => Buffer.from(plane))])
  })
  return unit(0x65, Buffer.concat([...macroblocks, bytesOf('')]))
}

/** Both sides are made even, for colour planes have half the size. */
export const stillPicture = (frame: Frame) => {
  const [width, height] = [frame.width + (frame.width % 2), frame.height + (frame.height % 2)]
  const [columns, rows] = [Math.ceil(width / MACROBLOCK), Math.ceil(height / MACROBLOCK)]
  const sequence = sequenceUnit(width, height, columns, rows)
  return { width, height, sequence, picture: PICTURE_UNIT, slice: pictureUnit(frame, columns, rows) }
}

export type StillPicture = ReturnType<typeof stillPicture>
