/** open_app with what no operator knows: what reaches the phone, and how it is refused. */
import { describe, expect, test } from 'vitest'
import type { Action } from '../../../src/contracts/executions/action.ts'
import { extrasOf } from '../../../src/device/apps/open-app.ts'
import { cutSegments } from '../../../src/device/operators/segment.ts'
import { runHostStep } from '../../../src/device/steps/run-host-step.ts'
import { type Clock, systemClock } from '../../../src/runtime/clock.ts'
import type { Intent } from '../../../src/simulator/phone-parts.ts'
import { phoneLink } from '../../support/adb/phone-link.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { phoneOf } from '../../support/simulator/simulated-phone.ts'
import { appOf, scenarioOf } from '../../support/simulator/simulated-ui.ts'

type OpenApp = Extract<Action, { type: 'open_app' }>
type Params = Partial<OpenApp['params']>

const NAME = 'com.example'
const CAMERA = 'android.permission.CAMERA'

const opening = (params: Params): OpenApp => ({
  id: 'a',
  type: 'open_app',
  params: { applicationId: NAME, skipNavigationWait: false, navigationTimeoutMs: 1_000, ...params },
})

const phoneWith = (sdk = 35, clock: Clock = manualClock()) => {
  const screens = {
    main: { activity: '.Main', nodes: [{ text: 'main' }] },
    detail: { activity: '.Detail', nodes: [{ text: 'detail' }] },
    secret: { activity: '.Secret', exported: false, nodes: [{ text: 'secret' }] },
  }
  const device = { properties: { 'ro.build.version.sdk': String(sdk) } }
  const written = { ...appOf(screens, { permissions: [{ name: CAMERA, state: 'allow' }] }), device, front: undefined }
  const { front: _, ...scenario } = written
  const phone = phoneOf({ scenario: scenarioOf(scenario) })
  const intents: Intent[] = []
  const listening = {
    ...phone,
    startActivity(intent: Intent) {
      intents.push(intent)
      return phone.startActivity(intent)
    },
  }
  const link = phoneLink(listening, systemClock())
  const open = async (params: Params) => {
    const signal = new AbortController().signal
    const options = { link, clock, deadline: clock.now() + 30_000, signal, screenshotPath: () => '' }
    const { error, stepResults } = await runHostStep(opening(params), options)
    return { error, data: stepResults[0]?.data }
  }
  return { phone, link, intents, open }
}

const acting = (commands: readonly string[]) =>
  commands.filter(command => /^(?:am (?:start|force-stop)|pm (?:clear|grant|revoke|set))/.test(command))

describe('who performs it', () => {
  const kinds = (params: Params) => cutSegments([opening(params)]).map(({ kind }) => kind)

  test('the operator, as long as no param is named that it does not know', () => {
    expect(kinds({ skipNavigationWait: true })).toEqual(['operator'])
  })

  test.each([
    { activity: '.Detail' },
    { arguments: {} },
    { clearState: false },
    { stopFirst: true },
    { permissions: { camera: 'allow' } },
  ] as Params[])('the host, with %j', params => {
    expect(kinds(params)).toEqual(['host'])
  })
})

describe('arguments', () => {
  test('each has the option of its kind', () => {
    const given = {
      text: '',
      yes: true,
      no: false,
      one: 1,
      most: 2_147_483_647,
      more: 2_147_483_648,
      least: -2_147_483_648,
      less: -2_147_483_649,
      half: 0.5,
      huge: 1e300,
    }
    expect(extrasOf(given)).toEqual(
      [
        ['--es', 'text', ''],
        ['--ez', 'yes', 'true'],
        ['--ez', 'no', 'false'],
        ['--ei', 'one', '1'],
        ['--ei', 'most', '2147483647'],
        ['--el', 'more', '2147483648'],
        ['--ei', 'least', '-2147483648'],
        ['--el', 'less', '-2147483649'],
        ['--ef', 'half', '0.5'],
        ['--ef', 'huge', '1e+300'],
      ].flat(),
    )
  })

  const HOSTILE = {
    blanks: '  two  words ',
    quotes: `it's "so" \\' \\" \``,
    lines: 'first\nsecond\r\nthird\n',
    command: '$(reboot) `reboot` ; reboot # && reboot | sh > /sdcard/x',
    variables: `$HOME $\{PATH} $$ $?`,
    patterns: '* ? [a-z] ~ {a,b}',
    option: '--user 10',
    empty: '',
    unicode: 'žluťoučký 🐎 漢字',
    '-n': 'com.evil/.Main',
    "a'b c\n$(x)": 'a name of that kind',
  }

  test('arrive byte for byte, whatever is in them', async () => {
    const { open, intents } = phoneWith()
    expect((await open({ arguments: HOSTILE })).error).toBeNull()
    expect(intents).toHaveLength(1)
    expect(intents[0]?.extras).toEqual(HOSTILE)
    expect(intents[0]?.component).toBe('com.example/com.example.Main')
  })
})

describe('what comes before the start', () => {
  test('nothing, unless it is asked for', async () => {
    const { open, link } = phoneWith()
    await open({ arguments: {} })
    expect(acting(link.commands)).toEqual([expect.stringMatching(/^am start /)])
  })

  test('the data are cleared, then permissions are set, then it is started', async () => {
    const { open, link, phone } = phoneWith()
    const { error, data } = await open({ clearState: true, stopFirst: true, permissions: { camera: 'allow' } })
    expect([error, data]).toEqual([null, { application_id: NAME }])
    expect(acting(link.commands)).toEqual([
      `pm clear --user 0 ${NAME}`,
      `pm grant --user 0 ${NAME} ${CAMERA}`,
      expect.stringMatching(/^am start /),
    ])
    expect(phone.permissions?.state(NAME, CAMERA)).toBe('allow')
  })

  test('it is stopped', async () => {
    const { open, link } = phoneWith()
    await open({ stopFirst: true })
    expect(acting(link.commands)[0]).toBe(`am force-stop --user 0 ${NAME}`)
  })

  test('a narrower name of a permission wins', async () => {
    const { open, phone } = phoneWith()
    await open({ permissions: { [CAMERA]: 'deny', camera: 'unset', all: 'allow' } })
    expect(phone.permissions?.state(NAME, CAMERA)).toBe('deny')
  })

  test('a permission that is refused ends it before the start', async () => {
    const { open, intents } = phoneWith()
    const { error, data } = await open({ permissions: { contacts: 'allow' } })
    expect(error).toMatchObject({ code: 'PERMISSION_REFUSED' })
    expect([data?.reason, intents]).toEqual(['not_requested', []])
  })
})

test('permissions that the application does not ask for are passed over with ifRequested', async () => {
  const { open, phone, intents } = phoneWith()
  const { error } = await open({ permissions: { contacts: 'allow', [CAMERA]: 'allow' }, ifRequested: true })
  expect([error, phone.permissions?.state(NAME, CAMERA), intents]).toEqual([null, 'allow', [expect.anything()]])
})

describe('a refusal', () => {
  const CONTACTS = { camera: 'allow', contacts: 'allow' } as const

  test.each([
    [{ permissions: CONTACTS }, 'PERMISSION_REFUSED'],
    [{ permissions: { 'android.permission.NONE': 'deny' } }, 'PERMISSION_REFUSED'],
    [{ activity: '.Absent' }, 'ACTIVITY_REFUSED'],
    [{ activity: '.Secret' }, 'ACTIVITY_REFUSED'],
  ] as [Params, string][])('that can be known of %j comes before anything is changed', async (params, code) => {
    const { open, link } = phoneWith()
    const { error, data } = await open({ clearState: true, stopFirst: true, ...params })
    expect(error?.code).toBe(code)
    expect(data?.done).toBeUndefined()
    expect(acting(link.commands)).toEqual([])
  })

  test('that comes later says what was done by then', async () => {
    const { open, link } = phoneWith()
    const asked = link.shell
    link.shell = async (line, options) =>
      line.startsWith('am start') || line.includes('resolve-activity')
        ? { exitCode: 1, stdout: '', stderr: 'Error: Activity class {x} does not exist.\n' }
        : asked(line, options)
    const { error, data } = await open({ clearState: true, permissions: { camera: 'allow' }, activity: '.Absent' })
    const done = `the data of ${NAME} were removed, ${CAMERA} was set to allow`
    expect(error).toMatchObject({ code: 'ACTIVITY_REFUSED', message: expect.stringContaining(`before that ${done}`) })
    expect(data).toMatchObject({ reason: 'missing', done })
  })
})

describe('the activity', () => {
  test.each(['.Detail', 'com.example.Detail'])('%s is started', async activity => {
    const { open, phone } = phoneWith()
    expect((await open({ activity })).error).toBeNull()
    expect(phone.foreground()).toEqual({ packageName: NAME, activity: '.Detail' })
  })

  test.each([
    [30, '.Absent', 'missing'],
    [35, '.Absent', 'missing'],
    [27, '.Secret', 'not_exported'],
    [29, '.Secret', 'not_exported'],
    [35, '.Secret', 'not_exported'],
  ])('at API level %i %s is refused: %s', async (sdk, activity, reason) => {
    const { open } = phoneWith(sdk)
    const { error, data } = await open({ activity })
    expect(error).toMatchObject({ code: 'ACTIVITY_REFUSED', message: expect.stringContaining(activity) })
    expect(data).toMatchObject({ reason })
  })

  test.each(['com.absent', "x'; reboot #", '--all'])(
    'of %s: no such application, and nothing is changed',
    async name => {
      const { open, link } = phoneWith()
      const params = { applicationId: name, clearState: true, permissions: { all: 'deny' } } as const
      expect((await open({ ...params, activity: '.Main' })).error).toMatchObject({ code: 'APP_NOT_FOUND' })
      expect((await open(params)).error).toMatchObject({ code: 'APP_NOT_FOUND' })
      expect(acting(link.commands)).toEqual([])
    },
  )
})

test('an application that does not come to the front in time', async () => {
  const { open, phone } = phoneWith(35, systemClock())
  phone.setShade(true)
  const { error } = await open({ stopFirst: true, navigationTimeoutMs: 1 })
  expect(error).toMatchObject({ code: 'NAVIGATION_TIMEOUT', message: expect.stringContaining('com.android.systemui') })
})
