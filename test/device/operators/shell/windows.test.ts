import { describe, expect, test } from 'vitest'
import { coversIn, foregroundPackageIn } from '../../../../src/device/operators/shell/windows.ts'

const MEGABYTES = 2 * 1_024 * 1_024
const lines = (...all: string[]) => all.join('\n')

const ANR = lines(
  'WINDOW MANAGER LAST ANR (dumpsys window lastanr)',
  '  ANR time: Jan 1, 2026 10:00:00 AM',
  '  Application at fault: Window{aa u0 com.stuck/com.stuck.Main}',
  '  Window #9 Window{1f u0 InputMethod}:',
  '    mAttrs={(0,0)(fillxfill) ty=INPUT_METHOD fmt=TRANSPARENT',
  '      fl=NOT_FOCUSABLE LAYOUT_IN_SCREEN}',
  '    isVisible=true frame=[0,0][1080,2400]',
  '  mCurrentFocus=Window{aa u0 com.stuck/com.stuck.Main}',
  '  mFocusedApp=ActivityRecord{ab u0 com.stuck/.Main t7}',
)

const ANR_SECTIONS = lines(
  'WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)',
  '  Display: mDisplayId=0 (organized)',
  '  mCurrentFocus=Window{aa u0 com.stuck/com.stuck.Main}',
  '  mFocusedApp=ActivityRecord{ab u0 com.stuck/.Main t7}',
  '      InsetsSource id=3 type=ime frame=[0,1000][1080,2400] visible=true',
  'WINDOW MANAGER WINDOWS (dumpsys window windows)',
  '  Window #9 Window{1f u0 InputMethod}:',
  '    mAttrs={(0,0)(fillxfill) ty=INPUT_METHOD fmt=TRANSPARENT',
  '      fl=NOT_FOCUSABLE LAYOUT_IN_SCREEN}',
  '    isVisible=true frame=[0,0][1080,2400]',
)

const window = (index: number, token: string, title: string, ...text: string[]) =>
  lines(`  Window #${index} Window{${token} u0 ${title}}:`, ...text.map(line => `    ${line}`))

const shownAs = (focus: string, ...windows: string[]) =>
  lines(
    'WINDOW MANAGER POLICY STATE (dumpsys window policy)',
    '    isKeyguardShowing=false',
    'WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)',
    '  mCurrentFocus=null',
    `  mCurrentFocus=Window{${focus}}`,
    '  mFocusedApp=ActivityRecord{6d1c0a7 u0 com.example/.Main t12}',
    'WINDOW MANAGER WINDOWS (dumpsys window windows)',
    ...windows,
  )

const APP = window(
  0,
  'app1',
  'com.example/com.example.Main',
  'package=com.example appop=NONE',
  'ty=BASE_APPLICATION',
  'isVisible=true frame=[0,0][1080,2400]',
)
const STATUS_BAR = window(
  3,
  'bar1',
  'StatusBar',
  'mAttrs={(0,0)(fillx128) gr=TOP ty=STATUS_BAR fmt=TRANSLUCENT',
  '  fl=NOT_FOCUSABLE SPLIT_TOUCH',
  '  pfl=COLOR_SPACE_AGNOSTIC}',
  'isVisible=true frame=[0,0][1080,128]',
)
const keyboard = (...text: string[]) =>
  window(
    4,
    'ime1',
    'InputMethod',
    'mAttrs={(0,0)(fillxfill) ty=INPUT_METHOD fmt=TRANSPARENT',
    '  fl=NOT_FOCUSABLE LAYOUT_IN_SCREEN}',
    ...text,
  )

describe('what is in front', () => {
  test.each([
    ['an application', shownAs('3a0e2f1 u0 com.example/com.example.Main', APP), 'com.example'],
    [
      'another one before, which did not respond',
      lines(ANR, shownAs('3a0e2f1 u0 com.example/com.example.Main', APP)),
      'com.example',
    ],
    [
      'another one before, with whole sections of that time',
      lines(ANR, 'Last ANR continued', ANR_SECTIONS, shownAs('3a0e2f1 u0 com.example/com.example.Main', APP)),
      'com.example',
    ],
    [
      'another one after, with whole sections of that time',
      lines(shownAs('3a0e2f1 u0 com.example/com.example.Main', APP), ANR, ANR_SECTIONS),
      'com.example',
    ],
    ['another one after', lines(shownAs('3a0e2f1 u0 com.example/com.example.Main', APP), ANR), 'com.example'],
    ['a popup of the application', shownAs('pop1 u0 PopupWindow:51f', APP), 'com.example'],
    ['the notification shade', shownAs('sh1 u0 NotificationShade', APP), 'com.android.systemui'],
    [
      'a dialog of the system',
      shownAs(
        'dia1 u0 Application Not Responding: com.example',
        window(5, 'dia1', 'Application Not Responding: com.example', 'mOwnerUid=1000 package=android appop=NONE'),
      ),
      'com.example',
    ],
    [
      'a window that says whose it is',
      shownAs(
        'vol1 u0 VolumeDialog',
        window(5, 'vol1', 'VolumeDialog', 'mOwnerUid=1000 package=com.vendor.volume appop=NONE'),
      ),
      'com.vendor.volume',
    ],
    ['nothing', 'WINDOW MANAGER WINDOWS (dumpsys window windows)\n  mCurrentFocus=null\n  mFocusedApp=null', ''],
  ])('%s', (_name, dump, packageName) => {
    expect(foregroundPackageIn(dump)).toBe(packageName)
  })
})

describe('what lies over the application', () => {
  const over = (...windows: string[]) =>
    coversIn(lines(ANR, ANR_SECTIONS, shownAs('app1 u0 com.example/com.example.Main', ...windows, APP)))

  test('the bars', () => {
    expect(over(STATUS_BAR)).toEqual([
      { kind: 'window', name: 'the status bar', bounds: { left: 0, top: 0, right: 1080, bottom: 128 } },
    ])
  })

  test.each([
    [
      'by its touchable region',
      ['isVisible=true frame=[0,128][1080,2400]', 'touchable region=SkRegion((0,1535,1080,2274))'],
      1535,
      2274,
    ],
    ['by its insets', ['isVisible=true frame=[0,128][1080,2400]', 'mGivenContentInsets=[0,1400][0,0]'], 1528, 2400],
    ['of an older version', ['mHasSurface=true', 'mFrame=[0,1200][1080,2400] last=[0,1200][1080,2400]'], 1200, 2400],
  ] as const)('the keyboard, %s', (_name, text, top, bottom) => {
    expect(over(keyboard(...text))).toEqual([
      { kind: 'keyboard', name: 'the keyboard', bounds: { left: 0, top, right: 1080, bottom } },
    ])
  })

  test('the keyboard, by what it takes from the windows below', () => {
    const source = (visible: boolean) =>
      `    InsetsSource id=3 type=ime frame=[0,1535][1080,2274] visible=${visible} flags=[]`
    const dump = (visible: boolean) => lines(source(visible), shownAs('app1 u0 com.example/com.example.Main', APP))
    expect(coversIn(dump(true))).toMatchObject([{ kind: 'keyboard', bounds: { top: 1535, bottom: 2274 } }])
    expect(coversIn(dump(false))).toEqual([])
  })

  test('a window whose title says what it is', () => {
    expect(
      over(window(5, 'x', 'InputMethod', 'isOnScreen=true isVisible=true', 'Frames: frame=[0,1500][1080,2400]')),
    ).toMatchObject([{ kind: 'keyboard', bounds: { top: 1500 } }])
  })

  test.each([
    ['hidden', keyboard('isVisible=false frame=[0,1200][1080,2400]')],
    ['of another kind', window(5, 'x', 'Toast', 'ty=TOAST', 'isVisible=true frame=[0,0][1080,2400]')],
    ['that takes no touches', STATUS_BAR.replace('SPLIT_TOUCH', 'NOT_TOUCHABLE SPLIT_TOUCH')],
    ['that takes none, in hex', STATUS_BAR.replace('fl=NOT_FOCUSABLE SPLIT_TOUCH', 'fl=#1840018')],
    ['with an empty region', keyboard('isVisible=true frame=[0,0][1080,2400]', 'touchable region=SkRegion()')],
  ])('not a window %s', (_name, block) => {
    expect(over(block)).toEqual([])
  })
})

test.each([
  'mCurrentFocus=Window{',
  'mCurrentFocus=Window{a u0 ',
  'mFocusedApp=',
  'mFocusedApp=ActivityRecord{a u0 ',
  'Window #1 Window{a u0 ',
  'Window #1 Window{a u0 b}:\n',
  'touchable region=SkRegion((0,0,1,1)',
  'WINDOW MANAGER ',
])('megabytes of %j are read in time', piece => {
  const dump = piece.repeat(MEGABYTES / piece.length)
  expect(foregroundPackageIn(dump)).toBe('')
  expect(coversIn(dump)).toEqual([])
})
