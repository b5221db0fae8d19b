/** Which commands are for a fleet: by the environment, by the device, and not within a skill run on this machine. */
import { expect, test } from 'vitest'
import type { CommandContext } from '../../../../src/surfaces/cli/command.ts'
import { concernsFleet, isFleetDevice } from '../../../../src/surfaces/cli/executions/execution-command.ts'
import { goesToFleet, isConnectedHere } from '../../../../src/surfaces/cli/fleet/session.ts'

const FLEET = { SVC_FLEET: 'nats://a' }
const RUN = { SVC_SKILL_RUN_ID: '0190a5b2-7c11-7d5e-8a55-4f3b2a1c0d9e' }

const callOf = (env: NodeJS.ProcessEnv, serials: readonly string[] | undefined): CommandContext =>
  ({
    env,
    signal: new AbortController().signal,
    services: async () => ({
      listDevices: async () => {
        if (!serials) throw new Error('there is no adb')
        return serials.map(serial => ({ serial, state: 'device' }))
      },
    }),
  }) as unknown as CommandContext

test.each([
  ['any', true],
  ['any:tag=lab', true],
  [' any : x=1', true],
  ['anything', false],
  ['S@lab1', true],
  ['emulator-5554', false],
  ['127.0.0.1:5555', false],
  [undefined, false],
])('device %j of a fleet: %j', (device, expected) => {
  expect(isFleetDevice(device)).toBe(expected)
  expect(concernsFleet({}, device)).toBe(expected)
  expect(concernsFleet({ SVC_FLEET: ' ' }, device)).toBe(expected)
  expect(concernsFleet(FLEET, device)).toBe(true)
})

test.each(['a@b', 'any:tag=lab', 'emulator-5554'])('without SVC_FLEET, device %j is for this machine', device => {
  expect(goesToFleet(callOf({}, undefined), device)).toBe(false)
})

test.each([
  [undefined, false],
  ['emulator-5554', false],
  ['S@lab2', true],
  ['any', true],
])('within a skill run, device %j goes to the fleet: %j', (device, expected) => {
  expect(goesToFleet(callOf({ ...FLEET, ...RUN }, []), device)).toBe(expected)
  expect(goesToFleet(callOf(FLEET, []), device)).toBe(true)
})

test('where devices cannot be listed, none is connected', async () => {
  expect(await isConnectedHere(callOf({}, undefined), 'S')).toBe(false)
  expect(await isConnectedHere(callOf({}, ['S']), ' S ')).toBe(true)
})
