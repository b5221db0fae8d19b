/** The library does not use a daemon of another build, and says how to replace it. */
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { BuildIdentity } from '../../../src/contracts/daemon.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { thisProcess } from '../../../src/runtime/processes/processes.ts'
import { buildIdentityOf, environmentOf, writeMetadata } from '../../../src/surfaces/daemon/identity.ts'
import { daemonPaths } from '../../../src/surfaces/daemon/paths.ts'
import { connectFrom } from '../../../src/surfaces/library/connect.ts'
import { temporary } from '../../support/temporary.ts'

const root = temporary('svc-build-')

const daemonOf = async (buildIdentity: BuildIdentity, home: string, env: Record<string, string>, device = '') => {
  const paths = daemonPaths(home, device)
  mkdirSync(dirname(paths.socket), { recursive: true, mode: 0o700 })
  const version = { ok: true, version: '1.0.0', buildIdentity, journal: 'j' }
  const server = createServer((_, outgoing) => {
    outgoing.setHeader('content-type', 'application/json')
    outgoing.end(JSON.stringify(version))
  })
  await new Promise<void>(resolve => server.listen(paths.socket, resolve))
  onTestFinished(() => void server.close())
  const { pid, started } = thisProcess()
  const names = { daemonKey: paths.key, cliEntryPath: 'svc.cjs', rawDeviceId: device, instanceId: 'i1' }
  writeMetadata(paths.metadata, { pid, startTime: started, startedAt: 1, ...names, environment: environmentOf(env) })
}

test.each([
  ['the same build is used as it is', (program: string) => buildIdentityOf(program), false],
  ['another build is refused', (program: string) => ({ ...buildIdentityOf(program), size: 1 }), true],
])('a daemon of %s', async (_, buildOf, isRefused) => {
  const home = mkdtempSync(join(root(), 'h'))
  const [program, started] = [join(home, 'svc.cjs'), join(home, 'started')]
  writeFileSync(program, `require('node:fs').writeFileSync(${JSON.stringify(started)}, ''); console.log('{}')`)
  const env = { SVC_HOME: home }
  await daemonOf(buildOf(program), home, env)
  const connected = connectFrom({}, { env, program, clock: systemClock() })
  if (isRefused)
    await expect(connected).rejects.toMatchObject({
      code: 'DAEMON_START_FAILED',
      hint: 'Replace it with svc daemon restart.',
    })
  else await (await connected).close()
  expect(existsSync(started)).toBe(false)
})

test('the daemon of one device is replaced by a command that names it', async () => {
  const home = mkdtempSync(join(root(), 'h'))
  const program = join(home, 'svc.cjs')
  writeFileSync(program, '')
  const env = { SVC_HOME: home }
  await daemonOf({ ...buildIdentityOf(program), size: 1 }, home, env, 'my phone')
  await expect(connectFrom({ device: 'my phone' }, { env, program, clock: systemClock() })).rejects.toMatchObject({
    hint: "Replace it with svc daemon restart --device 'my phone'.",
  })
})
