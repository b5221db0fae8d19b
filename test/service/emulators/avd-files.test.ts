/** What is read of an AVD home, whatever is in it, and what is written and removed there. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  avdFacts,
  avdNames,
  byPreference,
  derivedName,
  folderElsewhere,
  gigabytesOf,
  hasAvdLeftovers,
  imageOf,
  lockedBy,
  NO_FACTS,
  removeAvdFiles,
  setStorage,
  unsupportedReasons,
} from '../../../src/service/emulators/avd-files.ts'
import { temporary } from '../../support/temporary.ts'

const place = temporary('svc-avds-')
const folder = () => realpathSync(mkdtempSync(join(place(), 'x-')))

const CONFIG = [
  'PlayStore.enabled=yes',
  'abi.type = x86_64',
  '# a comment',
  'disk.dataPartition.size=6G',
  'hw.device.name=pixel_7',
  'image.sysdir.1=system-images\\android-35\\google_apis_playstore\\x86_64\\',
  'disk.dataPartition.size = 8G',
  '',
].join('\r\n')

const home = (config: string | undefined = CONFIG, ini = 'target=android-35\n') => {
  const path = folder()
  mkdirSync(join(path, 'a.avd'))
  if (config !== undefined) writeFileSync(join(path, 'a.avd', 'config.ini'), config)
  writeFileSync(join(path, 'a.ini'), ini)
  return path
}

describe('facts', () => {
  test('as Studio on Windows writes them', () => {
    expect(avdFacts(home(), 'a')).toEqual({
      apiLevel: 35,
      abi: 'x86_64',
      playStore: true,
      deviceProfile: 'pixel_7',
      systemImage: 'system-images;android-35;google_apis_playstore;x86_64',
    })
  })

  test.each([
    ['nothing', '', { apiLevel: 35 }],
    [
      'an image alone',
      'image.sysdir.1=/opt/sdk/system-images/android-34/google_apis/arm64-v8a/',
      {
        apiLevel: 34,
        abi: 'arm64-v8a',
        playStore: false,
        systemImage: 'system-images;android-34;google_apis;arm64-v8a',
      },
    ],
    ['a tag', 'tag.id=google_apis_playstore', { apiLevel: 35, playStore: true }],
    ['half an image', 'image.sysdir.1=system-images/android-34', { apiLevel: 35 }],
  ])('from %s', (_what, config, facts) => {
    expect(avdFacts(home(config), 'a')).toEqual({ ...NO_FACTS, ...facts })
  })

  test('of what cannot be read are null', () => {
    expect(avdFacts(home(undefined), 'none')).toEqual(NO_FACTS)
    const path = folder()
    mkdirSync(join(path, 'a.avd', 'config.ini'), { recursive: true })
    mkdirSync(join(path, 'a.ini'))
    expect(avdFacts(path, 'a')).toEqual(NO_FACTS)
  })

  test('names are those that svc can be given', () => {
    const path = home()
    for (const name of ['-x.ini', 'a b.ini', '..ini', 'b.ini', 'c.txt']) writeFileSync(join(path, name), '')
    expect(avdNames(path).toSorted()).toEqual(['a', 'b'])
    expect(avdNames('/nowhere')).toEqual([])
  })
})

test('the storage size is set once, and nothing else is lost', () => {
  const path = home()
  setStorage(path, 'a', 12)
  const lines = readFileSync(join(path, 'a.avd', 'config.ini'), 'utf8').split(/\r?\n/)
  expect(lines.filter(line => line.includes('dataPartition'))).toEqual(['disk.dataPartition.size=12G'])
  expect(lines).toEqual(expect.arrayContaining(['abi.type = x86_64', '# a comment', 'hw.device.name=pixel_7']))
  expect(readdirSync(join(path, 'a.avd'))).toEqual(['config.ini'])
})

test('every other byte of the configuration stays', () => {
  const path = home()
  const file = join(path, 'a.avd', 'config.ini')
  const before = Buffer.from('\xe9=caf\xe9\r\n\ndisk.dataPartition.size = 6G\r\n# \xc3\xa0\nlast=1', 'latin1')
  writeFileSync(file, before)
  setStorage(path, 'a', 12)
  const after = '\xe9=caf\xe9\r\n\n# \xc3\xa0\nlast=1\ndisk.dataPartition.size=12G\n'
  expect(readFileSync(file, 'latin1')).toBe(after)
})

describe('removing', () => {
  test.each(['path', 'path.rel'])('follows no ini to another folder (%s)', key => {
    const path = join(folder(), 'avd')
    const elsewhere = join(path, '..', 'elsewhere')
    for (const each of [join(path, 'a.avd'), elsewhere]) mkdirSync(each, { recursive: true })
    writeFileSync(join(elsewhere, 'mine'), '')
    writeFileSync(join(path, 'a.ini'), `${key}=${key === 'path' ? elsewhere : 'elsewhere'}\n`)
    expect(folderElsewhere(path, 'a')).toBe(join(path, '..', 'elsewhere'))
    removeAvdFiles(path, 'a')
    expect([hasAvdLeftovers(path, 'a'), existsSync(join(elsewhere, 'mine'))]).toEqual([false, true])
  })

  test('follows no link either', () => {
    const path = folder()
    const elsewhere = folder()
    writeFileSync(join(elsewhere, 'mine'), '')
    symlinkSync(elsewhere, join(path, 'a.avd'))
    writeFileSync(join(path, 'a.ini'), `path=${join(path, 'a.avd')}\n`)
    expect(folderElsewhere(path, 'a')).toBe(elsewhere)
    removeAvdFiles(path, 'a')
    expect([readdirSync(path), readdirSync(elsewhere)]).toEqual([[], ['mine']])
  })

  test('an AVD in its home, and one whose folder is gone, are inside', () => {
    expect(folderElsewhere(home(), 'a')).toBeUndefined()
    expect(folderElsewhere(home(CONFIG, 'path=/nowhere/a.avd\n'), 'a')).toBeUndefined()
  })
})

test('a lock counts while its process is the emulator of the AVD', () => {
  const path = home()
  const lock = join(path, 'a.avd', 'hardware-qemu.ini.lock')
  for (const text of [String(process.pid), '1', '999999999', 'garbage', '']) {
    writeFileSync(lock, text)
    expect(lockedBy(path, 'a')).toBeUndefined()
  }
})

const FITS = { apiLevel: 35, abi: 'arm64-v8a', playStore: true, deviceProfile: 'pixel_7', systemImage: null }

describe('an AVD', () => {
  test.each([
    [FITS, []],
    [{ ...FITS, abi: 'x86_64' }, ['unsupported_abi']],
    [{ ...FITS, playStore: false }, ['missing_play_store']],
    [{ ...FITS, apiLevel: 36 }, ['unsupported_api_level']],
    [{ ...FITS, abi: 'armeabi-v7a' }, ['unsupported_abi']],
    [{ ...FITS, deviceProfile: 'pixel_8' }, ['unsupported_device_profile']],
    [NO_FACTS, ['missing_play_store', 'unsupported_api_level', 'unsupported_abi', 'unsupported_device_profile']],
  ])('%j: %j', (facts, reasons) => expect(unsupportedReasons(facts, ['arm64-v8a'])).toEqual(reasons))
})

test('the image by its parts', () => {
  expect(imageOf({ apiLevel: 35, abi: 'x86_64', playStore: true })).toBe(
    'system-images;android-35;google_apis_playstore;x86_64',
  )
  expect(imageOf({ apiLevel: 34, abi: 'arm64-v8a', playStore: false })).toBe(
    'system-images;android-34;google_apis;arm64-v8a',
  )
})

test.each(['12G', '12GB', '12g', '12gb'])('the name of a size: %s', size => {
  expect(derivedName(gigabytesOf(size))).toBe('svc-pixel-12gb')
})

test('the derived name comes first, then the alphabet', () => {
  const names = ['z', 'svc-pixel-12gb', 'a', 'B']
  expect(names.toSorted(byPreference('svc-pixel-12gb'))).toEqual(['svc-pixel-12gb', 'B', 'a', 'z'])
})
