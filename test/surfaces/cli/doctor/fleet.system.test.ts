/** `svc doctor --fleet`: the NATS servers of a fleet, as this host sees them. */
import { describe, expect, test } from 'vitest'
import { namesOf } from '../../../../src/fleet/servers/names.ts'
import type { Check } from '../../../../src/service/doctor/check.ts'
import { runCliHere } from '../../../support/cli/cli-here.ts'
import { fleetMembers } from '../../../support/fleet/fleet-members.ts'
import { natsLab } from '../../../support/fleet/nats-lab.ts'
import { needs } from '../../../support/needs.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-doctor-fleet-')

const doctor = async (env: NodeJS.ProcessEnv, ...args: string[]) => {
  const ended = await runCliHere(['doctor', ...args], { env: { HOME: folder(), ...env } })
  const { checks = [] } = ended.json<{ checks?: Check[] }>()
  const fleet = checks.filter(({ name }) => name.startsWith('fleet'))
  return { ...ended, fleet, statuses: Object.fromEntries(fleet.map(({ name, status }) => [name, status])) }
}

test('without a fleet it says nothing of one', async () => {
  expect((await doctor({})).fleet).toEqual([])
  expect((await doctor({ SVC_FLEET: ' ' })).fleet).toEqual([])
})

test('servers that cannot be reached fail, and no password is shown', async () => {
  const { fleet, stdout } = await doctor({}, '--fleet', 'nats://me:secret@127.0.0.1:1')
  expect(fleet).toMatchObject([{ name: 'fleet', status: 'failed', hint: expect.any(String) as string }])
  expect(fleet[0]?.message).toContain('127.0.0.1:1')
  expect(stdout).not.toContain('secret')
})

test.each([
  [{ SVC_FLEET_NAME: 'a.b' }, 'SVC_FLEET_NAME'],
  [{ SVC_FLEET_HOST: 'Lab 3' }, 'SVC_FLEET_HOST'],
])('%o is refused before anything is asked', async (env, named) => {
  const ended = await doctor(env, '--fleet', '127.0.0.1:1')
  expect(ended).toMatchObject({ code: 1 })
  expect(ended.stdout).toContain('USAGE')
  expect(ended.stdout).toContain(named)
})

test('what is no URL and no file of credentials is said', async () => {
  expect((await doctor({}, '--fleet', 'http://a')).fleet[0]?.message).toContain('nats://')
  const creds = await doctor({ SVC_FLEET_CREDS: '/nowhere/creds' }, '--fleet', '127.0.0.1:1')
  expect(creds.fleet[0]?.message).toContain('/nowhere/creds')
})

describe.skipIf(!needs('nats-server'))('servers that run', () => {
  const lab = natsLab()

  test('one alone is unsafe; each check has its line', async () => {
    const { auth, credsOf } = fleetMembers(folder(), namesOf('east'), { hosts: ['lab-3'] })
    const servers = await lab({ auth })
    const { fleet, statuses, code } = await doctor({
      SVC_FLEET: servers.urls.join(),
      SVC_FLEET_NAME: 'east',
      SVC_FLEET_HOST: 'lab-3',
      SVC_FLEET_CREDS: credsOf('lab-3'),
      SVC_FLEET_MONITOR: servers.monitors.join(),
    })
    expect(code).toBe(1)
    expect(fleet[0]?.message).toContain('as host lab-3 of the fleet east')
    expect(statuses).toEqual({
      fleet: 'ok',
      'fleet version': 'ok',
      'fleet jetstream': 'ok',
      'fleet copies': 'failed',
      'fleet sync': 'ok',
      'fleet clock': 'ok',
      'fleet payload': 'ok',
      'fleet permissions': 'ok',
      'fleet identity': 'ok',
    })
  })
})
