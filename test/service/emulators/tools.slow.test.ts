/** Where tools are missing, the journal is off or cannot be written, and two servers share one home. */
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ABI,
  type EmulatorLab,
  failureIn,
  refusalIn,
  routesOf,
  startEmulatorLab,
  untilState,
} from '../../support/emulators/emulator-lab.ts'
import { needs } from '../../support/needs.ts'
import { until, wait } from '../../support/until.ts'

/** Far longer than a request takes to arrive. */
const ASKED_MS = 3_000

describe.skipIf(!needs('adb'))('svc emulators', () => {
  let lab: EmulatorLab
  beforeAll(async () => {
    lab = await startEmulatorLab()
    lab.addAvds('a')
  })
  afterAll(() => lab.close())

  test.each([
    [['get', 'a'], { ANDROID_HOME: '/nowhere', PATH: '' }, ['emulator', 'adb']],
    [['create', 'b', '--abi', ABI], { SDKMANAGER_PATH: '/nowhere' }, ['sdkmanager']],
    [
      ['create', 'b', '--abi', ABI],
      { SDKMANAGER_PATH: '/nowhere', AVDMANAGER_PATH: '/nowhere' },
      ['sdkmanager', 'avdmanager'],
    ],
    [['start', 'a'], { EMULATOR_PATH: '/nowhere' }, ['emulator']],
    [['delete', 'a'], { AVDMANAGER_PATH: '/nowhere' }, ['avdmanager']],
    [['provision'], { EMULATOR_PATH: '/nowhere' }, ['emulator']],
    [['create', 'a', '--abi', ABI], { ANDROID_HOME: '/nowhere', PATH: '' }, ['sdkmanager', 'avdmanager']],
    [['provision'], { ANDROID_HOME: '/nowhere', PATH: '' }, ['emulator', 'adb']],
  ])('%j without a tool names it', async (args, env, missingTools) => {
    const { code, ...ended } = await lab.svc(['emulators', ...args], { env })
    expect([code, ended.json()]).toEqual([
      1,
      expect.objectContaining({
        code: 'ANDROID_SDK_TOOL_MISSING',
        details: expect.objectContaining({ missingTools }),
        hint: expect.stringMatching(/https:\S+.*ANDROID_HOME/),
      }),
    ])
    expect(existsSync(join(lab.sdk.avdHome, 'a.ini'))).toBe(true)
  })

  test.each([
    ['list', 'avds'],
    ['running', 'devices'],
  ])('%s without an SDK lists none, and says why', async (ask, field) => {
    const env = { ANDROID_HOME: '/nowhere', PATH: '' }
    const { code, stderr, ...ended } = await lab.svc(['emulators', ask], { env })
    expect([code, ended.json()]).toEqual([
      0,
      { ok: true, [field]: [], note: expect.stringMatching(/^No emulators are known: .* not found\. .*ANDROID_HOME/) },
    ])
    expect(stderr).toContain('No emulators are known')
  })

  test.each(['start', 'stop', 'delete'])(
    '%s without an SDK says so before it looks for the AVD, and leaves no actor',
    async ask => {
      const env = { ANDROID_HOME: '/nowhere', PATH: '' }
      const { code, ...ended } = await lab.svc(['emulators', ask, `never-${ask}`], { env })
      expect([code, ended.json()]).toMatchObject([
        1,
        { code: 'ANDROID_SDK_TOOL_MISSING', details: { missingTools: ['emulator', 'adb'] } },
      ])
      const journal = join(lab.svcHome, 'journal', 'journal.db')
      expect(existsSync(journal) && readFileSync(journal).includes(`emulator:never-${ask}`)).toBe(false)
    },
  )

  test('works without a journal, and two processes still make one AVD', async () => {
    const env = { SVC_JOURNAL: 'off' }
    const both = await Promise.all([1, 2].map(() => lab.svc(['emulators', 'create', 'twice', '--abi', ABI], { env })))
    const codes = both.map(ended => ended.json().code ?? 'made').toSorted()
    expect(codes.at(-1)).toBe('made')
    expect(existsSync(join(lab.sdk.avdHome, 'twice.ini'))).toBe(true)
    const started = await lab.svc(['emulators', 'start', 'twice'], { env })
    expect(started.json()).toMatchObject({ ok: true, avdName: 'twice', booted: true })
    expect((await lab.svc(['emulators', 'stop', 'twice'], { env })).json()).toMatchObject({ stopped: true })
  })

  test('does nothing that cannot be recorded', async () => {
    const file = join(lab.sdk.home, 'broken-home')
    mkdirSync(file)
    const env = { SVC_HOME: file }
    mkdirSync(join(file, 'journal', 'journal.db'), { recursive: true })
    const refused = await lab.svc(['emulators', 'start', 'a'], { env })
    expect([refused.code, refused.json().code]).toEqual([1, 'JOURNAL_UNAVAILABLE'])
    expect(lab.sdk.calls('emulator').filter(({ argv }) => argv[0] === '@a')).toEqual([])
  })

  test('does not start an emulator whose log cannot be written', async () => {
    const home = join(lab.sdk.home, 'closed-home')
    mkdirSync(join(home, 'emulators', 'a.log.1', 'x'), { recursive: true })
    mkdirSync(join(home, 'emulators', 'a.log'), { recursive: true })
    const refused = await lab.svc(['emulators', 'start', 'a'], { env: { SVC_HOME: home } })
    expect(refused.json()).toMatchObject({
      code: 'EMULATOR_START_FAILED',
      message: expect.stringContaining(join(home, 'emulators', 'a.log')),
    })
    chmodSync(home, 0o700)
  })

  test('two servers of one home repair once, and both answer', async () => {
    lab.sdk.setModes({ avds: { a: { bootMs: 'held' } } })
    const first = await lab.serveApart()
    const asked = routesOf(first.url)
    asked.start('a').catch(() => {})
    await untilState(asked, 'a', 'busy.starting.awaiting.booting')
    first.running.child.kill('SIGKILL')
    await first.running.ended
    const both = await Promise.all([lab.serveApart(), lab.serveApart()])
    const routes = both.map(({ url }) => routesOf(url))
    const asking = routes.map(each => each.start('a'))
    // One of them repairs, the other waits for it, of which nothing is recorded.
    await wait(ASKED_MS)
    lab.release('a')
    const answers = await Promise.all(asking)
    expect(answers.map(({ json }) => json)).toEqual(
      [1, 2].map(() => expect.objectContaining({ ok: true, avdName: 'a' })),
    )
    const { json } = await (routes[0] as (typeof routes)[number]).history('emulator:a')
    const types = (json as { events: { type: string }[] }).events.map(({ type }) => type)
    expect(types.filter(type => type === 'leftovers.repaired')).toHaveLength(1)
    expect(types.filter(type => type === 'process.spawned')).toHaveLength(1)
    await Promise.all(both.map(({ end }) => end()))
    // Ended servers leave the emulator alone.
    expect((await lab.svc(['emulators', 'stop', 'a'])).json()).toMatchObject({ stopped: true })
  })

  test('a server that is told to end in the middle of a start leaves it to the next one', async () => {
    lab.sdk.setModes({ avds: { a: { bootMs: 'held' } } })
    const first = await lab.serve()
    const asked = routesOf(first.url)
    const answer = asked.start('a')
    await untilState(asked, 'a', 'busy.starting.awaiting.booting')
    await first.end()
    expect([500, 503]).toContain((await answer).status)
    expect(failureIn(await answer).code).toBe('JOURNAL_UNAVAILABLE')
    const second = await lab.serve()
    lab.release('a')
    await untilState(routesOf(second.url), 'a', 'resting.running')
    expect(refusalIn(await routesOf(second.url).start('a'))).toEqual([409, 'EMULATOR_ALREADY_RUNNING'])
    await second.end()
  })

  test('keeps the log of the start before', async () => {
    const folder = join(lab.svcHome, 'emulators')
    expect(readFileSync(join(folder, 'a.log.1'), 'utf8')).toContain('Android emulator version')
    renameSync(join(folder, 'a.log.1'), join(folder, 'gone'))
    await until(() => existsSync(join(folder, 'a.log')), 'the log')
  })
})
