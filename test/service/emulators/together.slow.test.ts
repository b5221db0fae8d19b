/** Requests that meet: the same change is joined, another one is refused, and a caller that leaves stops nothing. */
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EmulatorMode } from '../../fixtures/sdk/modes.ts'
import type { Serving } from '../../support/cli/serve.ts'
import {
  type EmulatorLab,
  failureIn,
  type Routes,
  refusalIn,
  routesOf,
  startEmulatorLab,
  untilState,
} from '../../support/emulators/emulator-lab.ts'
import { needs } from '../../support/needs.ts'
import { until } from '../../support/until.ts'

/** Longer than another svc takes to begin, also on a busy machine. */
const SLOW: Readonly<Record<string, EmulatorMode>> = {
  shared: { bootMs: 6_000 },
  failing: { start: 'dies-booting', diesAfterMs: 6_000 },
  busy: { bootMs: 'never' },
}

describe.skipIf(!needs('adb'))('requests that meet', () => {
  let lab: EmulatorLab
  let serving: Serving
  let routes: Routes
  beforeAll(async () => {
    lab = await startEmulatorLab({ modes: { emulator: { bootMs: 1_500 }, avds: SLOW } })
    lab.addAvds(...Object.keys(SLOW), 'left')
    serving = await lab.serveApart()
    routes = routesOf(serving.url)
  })
  afterAll(() => lab.close())

  const starts = (name: string) => lab.sdk.calls('emulator').filter(({ argv }) => argv[0] === `@${name}`)

  const typesOf = async (name: string) => {
    const { json } = await routes.history(`emulator:${name}`)
    return (json as { events: { type: string }[] }).events.map(({ type }) => type)
  }

  test.concurrent('starts of one AVD, in this server and elsewhere, have one emulator and one answer', async () => {
    const first = routes.start('shared')
    await untilState(routes, 'shared', 'busy.starting')
    const elsewhere = lab.svc(['emulators', 'start', 'shared'])
    const answers = await Promise.all([first, routes.start('shared')])
    const { json } = answers[0]
    expect(json).toMatchObject({ ok: true, avdName: 'shared', booted: true })
    expect(answers[1].json).toEqual(json)
    expect((await elsewhere).json()).toEqual(json)
    expect(starts('shared')).toHaveLength(1)
  })

  test.concurrent('failed starts have one answer, too', async () => {
    const first = routes.start('failing')
    await untilState(routes, 'failing', 'busy.starting')
    const [one, other, cli] = await Promise.all([
      first,
      routes.start('failing'),
      lab.svc(['emulators', 'start', 'failing']),
    ])
    expect(failureIn(one).code).toBe('EMULATOR_START_FAILED')
    expect(failureIn(other)).toEqual(failureIn(one))
    expect(cli.json()).toMatchObject({ code: 'EMULATOR_START_FAILED', message: failureIn(one).message })
    expect(starts('failing')).toHaveLength(1)
  })

  test.concurrent('another change is refused with the process that is at work', async () => {
    const starting = routes.start('busy')
    await untilState(routes, 'busy', 'busy.starting')
    const pid = serving.running.child.pid
    const here = await routes.delete('busy')
    expect(refusalIn(here)).toEqual([409, 'EMULATOR_BUSY'])
    expect(failureIn(here).details).toMatchObject({ avdName: 'busy', ask: 'start', holder: { pid } })
    expect(refusalIn(await routes.start('busy', { wipe: true }))).toEqual([409, 'EMULATOR_BUSY'])
    const cli = await lab.svc(['emulators', 'delete', 'busy'])
    expect(cli.json()).toMatchObject({
      code: 'EMULATOR_BUSY',
      message: `The AVD busy is busy: process ${pid} is at work on a request to start it.`,
      details: { avdName: 'busy', ask: 'start', holder: { pid } },
    })
    for (const { pid: emulator } of starts('busy')) process.kill(emulator, 'SIGKILL')
    expect(refusalIn(await starting)).toEqual([500, 'EMULATOR_START_FAILED'])
  })

  test.concurrent('a client that disconnects during a start stops nothing', async () => {
    const sent = request(`${serving.url}/android/emulators/left/start`, { method: 'POST', agent: false })
    sent.on('error', () => {})
    sent.end()
    await untilState(routes, 'left', 'busy.starting')
    sent.destroy()
    await untilState(routes, 'left', 'resting.running')
    expect((await typesOf('left')).slice(-3)).toEqual(['emulator.registered', 'boot.completed', 'settings.enabled'])
  })

  test('a start beside a delete from another process is refused', async () => {
    lab.sdk.setModes({ avdmanager: { deleteMs: 3_000 } })
    lab.addAvds('doomed')
    const deleting = lab.svc(['emulators', 'delete', 'doomed'])
    await untilState(routes, 'doomed', 'busy.deleting')
    const refused = await routes.start('doomed')
    expect([...refusalIn(refused), failureIn(refused).details.ask]).toEqual([409, 'EMULATOR_BUSY', 'delete'])
    expect((await deleting).json()).toEqual({ ok: true, avdName: 'doomed', deleted: true })
    lab.sdk.setModes({ emulator: { bootMs: 1_500 } })
  })

  test('Ctrl-C ends the waiting at once; the emulator goes on, and the next start joins it', async () => {
    lab.sdk.setModes({ avds: { dropped: { bootMs: 'held' } } })
    lab.addAvds('dropped')
    const { child, ended, stderr } = lab.start(['emulators', 'start', 'dropped'])
    await untilState(routes, 'dropped', 'busy.starting.awaiting.booting')
    const begun = performance.now()
    child.kill('SIGINT')
    const { code } = await ended
    expect([code, stderr()]).toEqual([130, expect.stringContaining('An emulator that was started goes on')])
    expect(performance.now() - begun).toBeLessThan(3_000)
    // A change of another AVD leaves it alone.
    lab.addAvds('other')
    expect((await lab.svc(['emulators', 'delete', 'other'])).code).toBe(0)
    const joining = lab.svc(['emulators', 'start', 'dropped'])
    await until(async () => (await typesOf('dropped')).includes('request.interrupted'), 'the next start to join')
    lab.release('dropped')
    const again = await joining
    expect(again.json()).toMatchObject({ ok: true, avdName: 'dropped', booted: true })
    expect(again.stderr).toMatch(/dropped: interrupted while booting; process \d+ of the emulator goes on/)
    expect(starts('dropped')).toHaveLength(1)
    expect((await routes.stop('dropped')).status).toBe(200)
  })
})
