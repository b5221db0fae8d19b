/** Reads the binary AndroidManifest.xml of an APK, as far as installing needs it; its bytes may be hostile. */
import { NotAnApk, PAUSE, type Reading } from './zip-entry.ts'

const DOCUMENT = 0x0003
const STRINGS = 0x0001
const RESOURCE_IDS = 0x0180
const START_ELEMENT = 0x0102
const END_ELEMENT = 0x0103
const UTF8 = 0x100
const CHUNK_HEADER_BYTES = 8
const ELEMENT_BYTES = 20
const ATTRIBUTE_BYTES = 20
const NONE = 0xffffffff
const TYPE_STRING = 0x03
const TYPE_INTEGERS = [0x10, 0x11, 0x12]
/** No name that is looked for is longer, and no version needs more. */
const TEXT_CHARS_MAX = 1_024
const DEPTH_MAX = 64
/** Nothing that is looked for lies deeper. */
const WANTED_DEPTH = 5
/** Manifests of the largest applications have a tenth of this: elements, their ends, namespaces and texts. */
const CHUNKS_MAX = 200_000
/** Read in about a millisecond. */
const CHUNKS_AT_ONCE = 1_024
/** Longer names of elements are none that is looked for; paths of them stay short. */
const TAG_CHARS_MAX = 32

/** Attributes of the platform go by number; their names may be empty. */
const VERSION_CODE = 0x0101021b
const VERSION_CODE_MAJOR = 0x01010576
const VERSION_NAME = 0x0101021c
const MIN_SDK = 0x0101020c
const DEBUGGABLE = 0x0101000f
const TEST_ONLY = 0x01010272
const SPLIT_REQUIRED = 0x01010591
const NAME = 0x01010003

const MAIN = 'android.intent.action.MAIN'
const LAUNCHER = 'android.intent.category.LAUNCHER'

type TextAt = (index: number) => string

/** Texts longer than the limit are empty. */
const utf8At = (chunk: Buffer, at: number): string => {
  // Two lengths, in characters and in bytes, of one or two bytes each.
  const from = at + ((chunk.readUInt8(at) & 0x80) === 0 ? 1 : 2)
  const first = chunk.readUInt8(from)
  const isShort = (first & 0x80) === 0
  const bytes = isShort ? first : ((first & 0x7f) << 8) | chunk.readUInt8(from + 1)
  const begin = from + (isShort ? 1 : 2)
  return bytes > TEXT_CHARS_MAX ? '' : chunk.toString('utf8', begin, begin + bytes)
}

const utf16At = (chunk: Buffer, at: number): string => {
  const units = chunk.readUInt16LE(at)
  return units > TEXT_CHARS_MAX ? '' : chunk.toString('utf16le', at + 2, at + 2 + 2 * units)
}

const textsOf = (chunk: Buffer, header: number): TextAt => {
  const [count, flags, start] = [chunk.readUInt32LE(8), chunk.readUInt32LE(16), chunk.readUInt32LE(20)]
  // Thousands of elements may name the same text.
  const known = new Map<number, string>()
  return index => {
    if (index >= count) return ''
    const read = known.get(index)
    if (read !== undefined) return read
    const at = start + chunk.readUInt32LE(header + 4 * index)
    const text = (flags & UTF8) === 0 ? utf16At(chunk, at) : utf8At(chunk, at)
    known.set(index, text)
    return text
  }
}

type Attributes = ReadonlyMap<string | number, string | number>

interface Names {
  text: TextAt
  id(index: number): number
}

/** Keyed by the number of the platform's attributes, and by the name of others; references have no value here. */
const attributesOf = (chunk: Buffer, header: number, { text, id }: Names): Attributes => {
  const first = header + chunk.readUInt16LE(header + 8)
  const count = chunk.readUInt16LE(header + 12)
  if (first + count * ATTRIBUTE_BYTES > chunk.length) throw new RangeError('attributes outside of their element')
  const found = new Map<string | number, string | number>()
  for (let at = first; at < first + count * ATTRIBUTE_BYTES; at += ATTRIBUTE_BYTES) {
    const [name, raw] = [chunk.readUInt32LE(at + 4), chunk.readUInt32LE(at + 8)]
    const [type, value] = [chunk.readUInt8(at + 15), chunk.readUInt32LE(at + 16)]
    const key = id(name) || text(name)
    if (found.has(key)) continue
    if (type === TYPE_STRING) found.set(key, text(value))
    else if (TYPE_INTEGERS.includes(type)) found.set(key, value)
    else if (raw !== NONE) found.set(key, text(raw))
  }
  return found
}

interface ManifestVisitor {
  /** `path` is the names of the elements from the root to this one, such as `manifest/application`. */
  start(path: string, attributes: () => Attributes): void
  end(path: string): void
}

const walk = function* (xml: Buffer, visitor: ManifestVisitor): Reading<void> {
  const names: Names = { text: () => '', id: () => 0 }
  /** The paths of the open elements; empty below those that are looked for. */
  const open: string[] = []
  let chunks = 0
  for (let at = xml.readUInt16LE(2); at + CHUNK_HEADER_BYTES <= xml.length; ) {
    chunks += 1
    if (chunks % CHUNKS_AT_ONCE === 0) yield PAUSE
    if (chunks > CHUNKS_MAX) throw new NotAnApk(`its AndroidManifest.xml has more than ${CHUNKS_MAX} parts`)
    const [type, header, size] = [xml.readUInt16LE(at), xml.readUInt16LE(at + 2), xml.readUInt32LE(at + 4)]
    if (size < CHUNK_HEADER_BYTES || header > size || at + size > xml.length) throw new RangeError('a chunk of no size')
    if (type === STRINGS) names.text = textsOf(xml.subarray(at, at + size), header)
    else if (type === RESOURCE_IDS) {
      const chunk = xml.subarray(at, at + size)
      names.id = index => (header + 4 * index + 4 <= size ? chunk.readUInt32LE(header + 4 * index) : 0)
    } else if (type === START_ELEMENT) {
      if (header + ELEMENT_BYTES > size || open.length >= DEPTH_MAX) throw new RangeError('an element out of bounds')
      const outer = open.at(-1)
      const isWanted = open.length < WANTED_DEPTH
      const tag = isWanted ? names.text(xml.readUInt32LE(at + header + 4)).slice(0, TAG_CHARS_MAX) : ''
      const path = isWanted ? (outer === undefined ? tag : `${outer}/${tag}`) : ''
      open.push(path)
      if (isWanted) visitor.start(path, () => attributesOf(xml.subarray(at, at + size), header, names))
    } else if (type === END_ELEMENT) {
      const path = open.pop()
      if (path) visitor.end(path)
    }
    at += size
  }
}

export interface ApkManifest {
  packageName: string
  versionCode: number
  /** Empty where it is a resource, or missing. */
  versionName: string
  /** The name of this split; undefined for the base of an application. */
  split?: string
  /** 1 where the manifest does not say. */
  minSdk: number
  debuggable: boolean
  testOnly: boolean
  /** The base does not run without a split. */
  splitRequired: boolean
  /** The activity with an icon on the launcher: a class name, whole or from its dot on. */
  launchActivity?: string
  /** The permissions that it asks for, in full; absent where it asks for none. */
  permissions?: readonly string[]
}

const PACKAGE_NAME = /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/
const SPLIT_NAME = /^[A-Za-z][\w.-]*$/

const NOTHING: Attributes = new Map()
/** Manifests of the largest applications ask for some hundred. */
const PERMISSIONS_MAX = 1_000
const PERMISSION = /^manifest\/uses-permission(?:-sdk-23|-sdk-m)?$/
const ACTIVITY = /^manifest\/application\/activity(?:-alias)?$/
const FILTER = /^manifest\/application\/activity(?:-alias)?\/intent-filter$/
const IN_FILTER = /^manifest\/application\/activity(?:-alias)?\/intent-filter\/(?:action|category)$/

/** The first activity that says MAIN and LAUNCHER in one filter. */
const launchFinder = () => {
  let activity: string | undefined
  let filterNames = new Set<unknown>()
  let found: string | undefined
  return {
    found: () => found,
    start(path: string, attributes: () => Attributes) {
      if (ACTIVITY.test(path)) activity = String(attributes().get(NAME) ?? '')
      else if (FILTER.test(path)) filterNames = new Set()
      else if (IN_FILTER.test(path)) filterNames.add(attributes().get(NAME))
    },
    end(path: string) {
      if (FILTER.test(path) && filterNames.has(MAIN) && filterNames.has(LAUNCHER)) found ??= activity
    },
  }
}

const numberFrom = (attributes: Attributes, key: number): number | undefined => {
  const value = attributes.get(key)
  return typeof value === 'number' ? value : undefined
}

const UNITS_OF_MAJOR = 2 ** 32

const readElements = function* (xml: Buffer) {
  const seen = new Map<string, Attributes>()
  const launch = launchFinder()
  const permissions = new Set<string>()
  yield* walk(xml, {
    start(path, attributes) {
      if (PERMISSION.test(path) && permissions.size < PERMISSIONS_MAX)
        permissions.add(String(attributes().get(NAME) ?? ''))
      const isWanted = path === 'manifest' || path === 'manifest/application' || path === 'manifest/uses-sdk'
      if (isWanted && !seen.has(path)) seen.set(path, attributes())
      launch.start(path, attributes)
    },
    end: launch.end,
  })
  const of = (path: string) => seen.get(path) ?? NOTHING
  return {
    manifest: of('manifest'),
    application: of('manifest/application'),
    sdk: of('manifest/uses-sdk'),
    activity: launch.found(),
    permissions: [...permissions].filter(name => name !== ''),
  }
}

/** Throws NotAnApk. */
export const readManifest = function* (xml: Buffer): Reading<ApkManifest> {
  if (xml.length < CHUNK_HEADER_BYTES || xml.readUInt16LE(0) !== DOCUMENT)
    throw new NotAnApk('its AndroidManifest.xml is not in the binary form that build tools write')
  try {
    const { manifest, application, sdk, activity, permissions } = yield* readElements(xml)
    const packageName = String(manifest.get('package') ?? '')
    if (!PACKAGE_NAME.test(packageName)) throw new NotAnApk('its AndroidManifest.xml names no package')
    const split = String(manifest.get('split') ?? '')
    if (split !== '' && !SPLIT_NAME.test(split)) throw new NotAnApk('its AndroidManifest.xml names a split of no name')
    const major = numberFrom(manifest, VERSION_CODE_MAJOR) ?? 0
    return {
      packageName,
      versionCode: major * UNITS_OF_MAJOR + (numberFrom(manifest, VERSION_CODE) ?? 0),
      versionName: String(manifest.get(VERSION_NAME) ?? ''),
      ...(split === '' ? {} : { split }),
      minSdk: numberFrom(sdk, MIN_SDK) ?? 1,
      debuggable: Boolean(numberFrom(application, DEBUGGABLE)),
      testOnly: Boolean(numberFrom(application, TEST_ONLY)),
      splitRequired: [manifest, application].some(element => Boolean(numberFrom(element, SPLIT_REQUIRED))),
      ...(activity ? { launchActivity: activity } : {}),
      ...(permissions.length > 0 ? { permissions } : {}),
    }
  } catch (error) {
    if (error instanceof RangeError) throw new NotAnApk('its AndroidManifest.xml is damaged')
    throw error
  }
}
