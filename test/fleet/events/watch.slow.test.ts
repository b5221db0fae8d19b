/** `svc watch --fleet`: a process of its own that reads the log from the servers, through restarts of them. */
import { describe, expect, test } from 'vitest'
import { runCliHere } from '../../support/cli/cli-here.ts'
import { type RunningCli, startCli } from '../../support/cli/run-cli.ts'
import { needs } from '../../support/needs.ts'
import { until, wait } from '../../support/until.ts'
import { fill, mirrored, mirrorOf, newJournal, told } from './mirroring.ts'
import { fleetServers } from './servers.ts'

const startServers = fleetServers()

const linesOf = ({ stdout }: RunningCli) => stdout().split('\n').slice(0, -1)
const jsonOf = (running: RunningCli) => linesOf(running).map(line => JSON.parse(line) as { position: string })
const transitionsOf = (running: RunningCli) => jsonOf(running).map(({ position: _, ...transition }) => transition)

describe.skipIf(!needs('nats-server'))('svc watch --fleet', () => {
  test('prints the transitions of all hosts once, through a restart of the server, and resumes', async () => {
    const servers = await startServers(1)
    const journal = newJournal()
    await fill(journal, 0, 30)
    const mirror = mirrorOf({ servers, connection: await servers.connect('a'), journal })
    await mirrored(mirror)
    const env = { SVC_FLEET: servers.urls.join(','), SVC_FLEET_NAME: 'lab', SVC_FLEET_HOST: 'watcher' }
    const watch = (...more: string[]) => startCli(['watch', '--fleet', '--json', ...more], { env })
    const running = watch('--after', '0')
    await until(() => linesOf(running).length >= 30, 'what was before')
    await servers.kill(0)
    await fill(journal, 30, 50)
    await servers.restart(0)
    await mirrored(mirror)
    await until(() => linesOf(running).length >= 50, 'what came meanwhile', 30_000)
    await wait(200)
    expect(transitionsOf(running)).toEqual(told(journal))
    running.child.kill('SIGTERM')
    expect((await running.ended).code).toBe(143)

    const place = jsonOf(running)[40]?.position ?? ''
    const resumed = watch('--after', place, 'device:d1@a')
    await until(() => linesOf(resumed).length >= 9, 'the rest')
    expect(jsonOf(resumed)).toEqual(jsonOf(running).slice(41))
    resumed.child.kill('SIGTERM')
    await resumed.ended
    await mirror.close()
  })

  test('prints lines for a person, and what the log cannot tell on stderr', async () => {
    const servers = await startServers(1)
    const connection = await servers.connect('a')
    const journal = newJournal()
    await fill(journal, 0, 3)
    const mirror = mirrorOf({ servers, connection, journal })
    await mirrored(mirror)
    await mirror.close()
    const other = newJournal()
    await fill(other, 0, 2, 'device:d2')
    const second = mirrorOf({ servers, connection, journal: other })
    await mirrored(second)
    const [url = ''] = servers.urls
    const running = startCli(['watch', '--fleet', url, '--fleet-name', 'lab', '--after', '0'])
    await until(() => linesOf(running).length >= 5, 'the lines')
    running.child.kill('SIGTERM')
    const { stderr } = await running.ended
    expect(linesOf(running)[0]).toMatch(/^\S+Z {2}1\.0 {2}device:d1@a {2}thing\.happened +idle -> idle$/)
    expect(stderr).toBe('svc watch: a: another journal took the place of the one before; its records follow\n')
    await second.close()
  })
})

describe('svc watch --fleet says what is wrong', () => {
  const failing = async (...args: string[]) => {
    const ended = await runCliHere(['watch', ...args])
    expect(ended.code).not.toBe(0)
    return ended.json<{ code: string; message: string; hint?: string }>()
  }

  test('with what was given', async () => {
    expect(await failing('--fleet')).toMatchObject({ code: 'USAGE', hint: expect.stringContaining('nats://') })
    const url = 'nats://127.0.0.1:1'
    expect(await failing('--fleet', url, '--fleet-name', 'Lab 1')).toMatchObject({ code: 'USAGE' })
    expect(await failing('--fleet', url, '--after', '12')).toMatchObject({
      code: 'USAGE',
      hint: expect.stringContaining('position'),
    })
    expect(await failing('--fleet', url, '--fleet-creds', '/nowhere/seed')).toMatchObject({ code: 'USAGE' })
  })

  test('with the servers', async () => {
    expect(await failing('--fleet', 'nats://127.0.0.1:1')).toMatchObject({ code: 'FLEET_UNREACHABLE' })
  })
})
