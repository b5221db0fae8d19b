/** Dumps of Android 8 to 16, reduced to what they say of one application. */
import { describe, expect, test } from 'vitest'
import { readPackageDump } from '../../../src/device/apps/read-package-dump.ts'

const NAME = 'com.example.notes'

const dump = (own: readonly string[], more: readonly string[] = []) =>
  [
    'Activity Resolver Table:',
    `  ${NAME}/.Main`,
    '',
    'Packages:',
    `  Package [${NAME}] (1a2b3c):`,
    ...own,
    '',
    ...more,
  ].join('\n')

const ANDROID_16 = [
  '    appId=10234',
  '    pkg=Package{1a2b3c com.example.notes}',
  '    versionCode=15 minSdk=26 targetSdk=36',
  '    versionName=1.5 (beta 2)',
  '    splits=[base, config.xhdpi, config.fr]',
  '    flags=[ DEBUGGABLE HAS_CODE ALLOW_CLEAR_USER_DATA ]',
  '    lastUpdateTime=2026-11-20 10:11:12',
  '    installerPackageName=com.android.vending',
  '    requested permissions:',
  '      android.permission.CAMERA',
  '      android.permission.READ_EXTERNAL_STORAGE: restricted=true',
  '    User 0: ceDataInode=1 installed=true hidden=false stopped=false quarantined=false enabled=3 instant=false',
  '      gids=[3003]',
  '      runtime permissions:',
  '        android.permission.CAMERA: granted=true, flags=[ USER_SET|USER_SENSITIVE_WHEN_GRANTED]',
  '        android.permission.READ_EXTERNAL_STORAGE: granted=false',
  '      disabledComponents:',
  '      com.example.notes.Old',
  '    User 10: ceDataInode=0 installed=false hidden=false enabled=0',
  '      runtime permissions:',
  '        android.permission.RECORD_AUDIO: granted=true',
]

test('everything that a dump says of the user in front', () => {
  expect(readPackageDump(dump(ANDROID_16), NAME, '0')).toEqual({
    app: {
      applicationId: NAME,
      kind: 'user',
      versionCode: 15,
      versionName: '1.5 (beta 2)',
      minSdk: 26,
      targetSdk: 36,
      uid: 10_234,
      debuggable: true,
      enabled: false,
      installer: 'com.android.vending',
      splits: ['config.xhdpi', 'config.fr'],
      lastUpdated: '2026-11-20 10:11:12',
      permissions: [
        { permission: 'android.permission.CAMERA', granted: true, state: 'allow' },
        { permission: 'android.permission.READ_EXTERNAL_STORAGE', granted: false, state: 'unset' },
      ],
    },
    requested: ['android.permission.CAMERA', 'android.permission.READ_EXTERNAL_STORAGE'],
    runtime: [
      { permission: 'android.permission.CAMERA', granted: true, flags: ['USER_SET', 'USER_SENSITIVE_WHEN_GRANTED'] },
      { permission: 'android.permission.READ_EXTERNAL_STORAGE', granted: false, flags: [] },
    ],
  })
})

test.each([
  ['granted=true, flags=[ USER_SET|ONE_TIME]', { granted: true, state: 'allow' }],
  ['granted=false, flags=[ USER_SET|USER_SENSITIVE_WHEN_DENIED]', { granted: false, state: 'deny' }],
  ['granted=false, flags=[ USER_FIXED]', { granted: false, state: 'deny' }],
  ['granted=false, flags=[ USER_SENSITIVE_WHEN_DENIED]', { granted: false, state: 'unset' }],
  ['granted=false', { granted: false, state: 'unset' }],
  ['granted=true, flags=[ SYSTEM_FIXED|GRANTED_BY_DEFAULT]', { granted: true, state: 'allow', fixed: true }],
  ['granted=false, flags=[ POLICY_FIXED ]', { granted: false, state: 'unset', fixed: true }],
])('a permission that is %s', (said, expected) => {
  const own = [
    '    User 0: installed=true enabled=0',
    '      runtime permissions:',
    `        android.permission.CAMERA: ${said}`,
  ]
  expect(readPackageDump(dump(own), NAME, '0')?.app.permissions).toEqual([
    { permission: 'android.permission.CAMERA', ...expected },
  ])
})

test('a user who does not have the application', () => {
  expect(readPackageDump(dump(ANDROID_16), NAME, '10')).toBeUndefined()
})

test('an older dump with another name for the id, without splits and without an installer', () => {
  const own = [
    '    userId=10077',
    '    versionCode=2 targetSdk=26',
    '    installerPackageName=null',
    '    flags=[ SYSTEM HAS_CODE ]',
  ]
  expect(readPackageDump(dump(own), NAME, '0')?.app).toEqual({
    applicationId: NAME,
    kind: 'system',
    versionCode: 2,
    targetSdk: 26,
    uid: 10_077,
    debuggable: false,
    enabled: true,
    permissions: [],
  })
})

test('the version that came with the phone does not count', () => {
  const hidden = ['Hidden system packages:', `  Package [${NAME}] (4d5e6f):`, '    versionCode=1 minSdk=24']
  expect(readPackageDump(dump(['    versionCode=9 minSdk=24'], hidden), NAME, '0')?.app.versionCode).toBe(9)
})

test('permissions of applications that share a uid', () => {
  const shared = [
    'Shared users:',
    '  SharedUser [com.example.other] (aaaa):',
    '    User 0:',
    '      runtime permissions:',
    '        android.permission.READ_SMS: granted=true',
    '  SharedUser [com.example.uid.shared] (bbbb):',
    '    appId=10077',
    '    User 0: ',
    '      runtime permissions:',
    '        android.permission.CAMERA: granted=true, flags=[ SYSTEM_FIXED]',
  ]
  const own = [
    '    sharedUser=SharedUserSetting{bbbb com.example.uid.shared/10077}',
    '    User 0: installed=true enabled=1',
  ]
  const app = readPackageDump(dump(own, shared), NAME, '0')?.app
  expect(app).toMatchObject({
    enabled: true,
    permissions: [{ permission: 'android.permission.CAMERA', granted: true }],
  })
})

describe('not found', () => {
  test.each([
    ['an answer of newer systems', `Unable to find package: ${NAME}\n`],
    ['an answer of Android 9, which prints its other sections', 'Activity Resolver Table:\n\nShared users:\n'],
    ['a package whose name begins alike', `Packages:\n  Package [${NAME}.test] (1a):\n    versionCode=1\n`],
    ['nothing', ''],
  ])('%s', (_, said) => expect(readPackageDump(said, NAME, '0')).toBeUndefined())
})
