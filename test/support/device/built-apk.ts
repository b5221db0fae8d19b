/** APKs made for tests: a ZIP archive with a binary manifest, content of any size, and a signing block. */
import { randomBytes } from 'node:crypto'
import { crc32, deflateRawSync } from 'node:zlib'

const u16 = (value: number) => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value >>> 0)
  return bytes
}
const u64 = (value: number) => Buffer.concat([u32(value), u32(Math.floor(value / 2 ** 32))])

const NONE = 0xffffffff
const ANDROID = 'http://schemas.android.com/apk/res/android'

const IDS = {
  versionCode: 0x0101021b,
  versionCodeMajor: 0x01010576,
  versionName: 0x0101021c,
  minSdkVersion: 0x0101020c,
  debuggable: 0x0101000f,
  testOnly: 0x01010272,
  isSplitRequired: 0x01010591,
  name: 0x01010003,
} as const

type Value = string | number | boolean
export interface Element {
  tag: string
  /** Names of the platform get their number; others, such as `package`, go by their name. */
  attributes?: Readonly<Record<string, Value>>
  children?: readonly Element[]
}

const namesIn = ({ tag, attributes = {}, children = [] }: Element): string[] => [
  tag,
  ...Object.entries(attributes).flatMap(([name, value]) => [name, ...(typeof value === 'string' ? [value] : [])]),
  ...children.flatMap(namesIn),
]

const chunk = (type: number, header: Buffer, body: Buffer) =>
  Buffer.concat([u16(type), u16(8 + header.length), u32(8 + header.length + body.length), header, body])

const pool = (texts: readonly string[], utf8: boolean): Buffer => {
  const written = texts.map(text => {
    const bytes = Buffer.from(text, utf8 ? 'utf8' : 'utf16le')
    if (!utf8) return Buffer.concat([u16(text.length), bytes, u16(0)])
    const length = (count: number) => (count > 127 ? [0x80 | (count >> 8), count & 0xff] : [count])
    return Buffer.concat([Buffer.from([...length(text.length), ...length(bytes.length)]), bytes, Buffer.alloc(1)])
  })
  const offsets: Buffer[] = []
  let at = 0
  for (const bytes of written) {
    offsets.push(u32(at))
    at += bytes.length
  }
  const padding = Buffer.alloc((4 - (at % 4)) % 4)
  const start = 28 + 4 * texts.length
  const header = Buffer.concat([u32(texts.length), u32(0), u32(utf8 ? 0x100 : 0), u32(start), u32(0)])
  return chunk(0x0001, header, Buffer.concat([...offsets, ...written, padding]))
}

/** As build tools write it. */
export const binaryXml = (root: Element, { utf8 = true } = {}): Buffer => {
  const known = Object.keys(IDS) as (keyof typeof IDS)[]
  const texts = [...new Set([...known, ANDROID, ...namesIn(root)])]
  const index = (text: string) => texts.indexOf(text)
  const attribute = ([name, value]: [string, Value]) => {
    const isPlatform = Object.hasOwn(IDS, name)
    const [type, data] =
      typeof value === 'string'
        ? [3, index(value)]
        : typeof value === 'number'
          ? [0x10, value]
          : [0x12, value ? NONE : 0]
    const raw = typeof value === 'string' ? index(value) : NONE
    return Buffer.concat([
      ...[u32(isPlatform ? index(ANDROID) : NONE), u32(index(name)), u32(raw)],
      ...[u16(8), Buffer.from([0, type]), u32(data)],
    ])
  }
  const write = ({ tag, attributes = {}, children = [] }: Element): Buffer[] => {
    const given = Object.entries(attributes)
    const place = Buffer.concat([u32(1), u32(NONE)])
    const named = Buffer.concat([u32(NONE), u32(index(tag))])
    const start = Buffer.concat([named, u16(20), u16(20), u16(given.length), u16(0), u16(0), u16(0)])
    return [
      chunk(0x0102, place, Buffer.concat([start, ...given.map(attribute)])),
      ...children.flatMap(write),
      chunk(0x0103, place, named),
    ]
  }
  const ids = chunk(0x0180, Buffer.alloc(0), Buffer.concat(known.map(name => u32(IDS[name]))))
  return chunk(0x0003, Buffer.alloc(0), Buffer.concat([pool(texts, utf8), ids, ...write(root)]))
}

export interface ZipFile {
  name: string
  content: Buffer
  stored?: boolean
}

const signingBlock = (certificate: string): Buffer => {
  const sized = (...parts: Buffer[]) => {
    const bytes = Buffer.concat(parts)
    return Buffer.concat([u32(bytes.length), bytes])
  }
  const signedData = sized(sized(), sized(sized(Buffer.from(certificate))), sized())
  const signers = sized(sized(signedData, sized(), sized()))
  const pair = Buffer.concat([u64(4 + signers.length), u32(0x7109871a), signers])
  const size = pair.length + 8 + 16
  return Buffer.concat([u64(size), pair, u64(size), Buffer.from('APK Sig Block 42')])
}

/** `signedBy` stands for a certificate; undefined leaves the signature out. */
export const zipOf = (files: readonly ZipFile[], { signedBy }: { signedBy?: string | undefined } = {}): Buffer => {
  const parts: Buffer[] = []
  const rows: Buffer[] = []
  let at = 0
  for (const { name, content, stored = false } of files) {
    const packed = stored ? content : deflateRawSync(content)
    const facts = Buffer.concat([
      ...[u16(stored ? 0 : 8), u32(0), u32(crc32(content)), u32(packed.length), u32(content.length)],
      ...[u16(name.length), u16(0)],
    ])
    const local = Buffer.concat([u32(0x04034b50), u16(20), u16(0), facts, Buffer.from(name), packed])
    rows.push(
      Buffer.concat([u32(0x02014b50), u16(20), u16(20), u16(0), facts, Buffer.alloc(10), u32(at), Buffer.from(name)]),
    )
    parts.push(local)
    at += local.length
  }
  const block = signedBy === undefined ? Buffer.alloc(0) : signingBlock(signedBy)
  const directory = Buffer.concat(rows)
  const [count, start] = [u16(files.length), at + block.length]
  const end = Buffer.concat([u32(0x06054b50), u32(0), count, count, u32(directory.length), u32(start), u16(0)])
  return Buffer.concat([...parts, block, directory, end])
}

export interface BuiltApk {
  packageName?: string
  versionCode?: number
  versionName?: string
  minSdk?: number
  split?: string
  splitRequired?: boolean
  debuggable?: boolean
  testOnly?: boolean
  /** In full. */
  permissions?: readonly string[]
  /** Its activity on the launcher; null for none. */
  activity?: string | null
  /** Undefined for no signature. */
  signedBy?: string | undefined
  /** Content that does not get smaller. */
  bytes?: number
  utf8?: boolean
}

const launcherActivity = (name: string): Element => ({
  tag: 'activity',
  attributes: { name },
  children: [
    {
      tag: 'intent-filter',
      children: [
        { tag: 'action', attributes: { name: 'android.intent.action.MAIN' } },
        { tag: 'category', attributes: { name: 'android.intent.category.LAUNCHER' } },
      ],
    },
  ],
})

export const builtApk = (options: BuiltApk = {}): Buffer => {
  const { packageName = 'com.example.built', versionCode = 7, versionName = '1.2', minSdk = 24, split } = options
  const { splitRequired, debuggable, testOnly, activity = '.MainActivity', bytes = 0, utf8 = true } = options
  const { permissions = [] } = options
  const signedBy = 'signedBy' in options ? options.signedBy : 'someone'
  const defined = (attributes: Record<string, Value | undefined>) =>
    Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined)) as Record<string, Value>
  const manifest: Element = {
    tag: 'manifest',
    attributes: defined({
      ...{ package: packageName, split, versionCode, isSplitRequired: splitRequired },
      ...(split === undefined ? { versionName } : {}),
    }),
    children: [
      { tag: 'uses-sdk', attributes: { minSdkVersion: minSdk } },
      ...permissions.map(name => ({ tag: 'uses-permission', attributes: { name } })),
      {
        tag: 'application',
        attributes: defined({ debuggable, testOnly }),
        children: split === undefined && activity !== null ? [launcherActivity(activity)] : [],
      },
    ],
  }
  return zipOf(
    [
      { name: 'classes.dex', content: Buffer.from('code') },
      { name: 'AndroidManifest.xml', content: binaryXml(manifest, { utf8 }) },
      ...(bytes > 0 ? [{ name: 'assets/data', content: randomBytes(bytes), stored: true }] : []),
    ],
    { signedBy },
  )
}
