/** A device describes itself in text of many kinds: what it does not say, or says wrongly, is left out. */
import { expect, test } from 'vitest'
import { askDeviceInfo } from '../../src/device/device-info.ts'
import type { Link } from '../../src/device/link/link.ts'

const info = (answers: readonly [properties: string, state: string, windows: string, users?: string]) => {
  const [properties, state, windows, users = ''] = answers
  const shell = async (line: string) => {
    const others = line.includes('list users') ? users : windows
    const stdout = line.startsWith('getprop') ? properties : line.startsWith('wm') ? state : others
    return { stdout, stderr: '', exitCode: 0 }
  }
  return askDeviceInfo({ shell } as unknown as Link, { deadline: 0 })
}

const WINDOWS = '  mCurrentFocus=Window{1a2b3c u0 com.android.settings/com.android.settings.Settings}\n'
const STATE = [
  'Physical size: 1080x2400',
  'Physical density: 420',
  'Current Battery Service state:',
  '  status: 2',
  '  level: 87',
  '  scale: 100',
  '',
].join('\n')

test('a phone that says everything', async () => {
  const properties = 'Pixel 8\nGoogle\n15\n35\narm64-v8a\nAP3A.241005.015\n2024-10-05\n'
  const users = '10\nUsers:\n\tUserInfo{0:Ann: at work:4c13} running\n\tUserInfo{10:null:1030}\n'
  expect(await info([properties, STATE, WINDOWS, users])).toEqual({
    model: 'Pixel 8',
    manufacturer: 'Google',
    androidVersion: '15',
    apiLevel: 35,
    abi: 'arm64-v8a',
    build: 'AP3A.241005.015',
    securityPatch: '2024-10-05',
    users: [
      { id: 0, name: 'Ann: at work', running: true, current: false },
      { id: 10, running: false, current: true },
    ],
    display: { width: 1_080, height: 2_400, density: 420 },
    battery: { percent: 87, status: 'charging' },
    frontApp: 'com.android.settings',
    frontActivity: 'com.android.settings.Settings',
  })
})

test('an override is what counts, a scale is not always 100, and the first value of a key wins', async () => {
  const state = [
    'Physical size: 1440x2960\nOverride size: 1080x2220',
    'Physical density: 560\nOverride density: 420',
    '  status: 5\n  level: 128\n  scale: 256\n  [log] level:72\n  level: 3\n',
  ].join('\n')
  expect(await info(['', state, ''])).toEqual({
    display: { width: 1_080, height: 2_220, density: 420 },
    battery: { percent: 50, status: 'full' },
  })
})

test.each([
  ['nothing', ['', '', '']],
  ['nonsense', ['\u0000\u0007\n\n\nfifteen\n', 'wm: not found\n  level: x\n  scale: 0\n', 'x'.repeat(1_000)]],
  ['no scale that divides', ['', '  level: 5\n  scale: 0\n', '']],
  ['users that are none', ['', '', '', 'Error: x\nUsers:\n\tUserInfo{x:Ann:4c13} running\n\tUserInfo{1:Ann}\n']],
] as const)('a device that says %s', async (_, answers) => {
  expect(await info(answers)).toEqual({})
})

test('no text of a device is longer or stranger than a line', async () => {
  const { model } = await info([`${'m'.repeat(9_000)}\u001b[31m\n`, '', ''])
  expect(model).toBe('m'.repeat(200))
})

test('the state of the screen, of the keyboard and of the clock', async () => {
  const windows = [
    '  init=1080x2400 420dpi cur=2400x1080 app=2400x1000 rng=1080x1000-2400x2300',
    '  Window #1 Window{7f u0 InputMethod}:',
    '    mAttrs={(0,0)(fillxfill) ty=INPUT_METHOD fl=NOT_FOCUSABLE}',
    '    mFrame=[0,600][2400,1080] isVisible=true',
    '  Window #0 Window{1a2b3c u0 com.example/.Main}:',
    '  mCurrentFocus=Window{1a2b3c u0 com.example/.Main}',
    '',
  ].join('\n')
  const said: Readonly<Record<string, string>> = {
    'dumpsys window': windows,
    'dumpsys power; dumpsys window policy; dumpsys trust': '  mWakefulness=Awake\n  mIsShowing=true\n',
    "date '+%Y-%m-%dT%H:%M:%S%z'": '2026-01-31T12:00:00+0100\n',
  }
  const shell = async (line: string) => ({ stdout: said[line] ?? '', stderr: '', exitCode: 0 })
  expect(await askDeviceInfo({ shell } as unknown as Link, { deadline: 0 })).toEqual({
    frontApp: 'com.example',
    frontActivity: 'com.example.Main',
    keyboardShown: true,
    orientation: 'landscape',
    awake: true,
    locked: true,
    time: '2026-01-31T12:00:00+0100',
  })
})
