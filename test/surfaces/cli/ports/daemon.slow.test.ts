/** `svc forward` and `svc reverse` of a device that no adb server carries: the daemon of the device holds them. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../../../support/cli/run-cli.ts'
import { type Lab, startLab } from '../../../support/executions/lab.ts'

let lab: Lab
let serial: string
const cli = async (...args: string[]) => {
  const env = { HOME: lab.home, SVC_TCP_DEVICES: serial, PATH: '', SVC_NO_DAEMON: undefined }
  const { code, json } = await runCli(args, { env })
  return { code, json: json() as Record<string, unknown> }
}

beforeAll(async () => {
  lab = await startLab()
  serial = lab.fleet.devices[0]?.serial ?? ''
})
afterAll(async () => {
  await cli('daemon', 'stop', '--device', serial)
  await lab.close()
})

test('nothing is held before something was added, and no daemon is started to find that out', async () => {
  expect(await cli('forward', 'list')).toEqual({ code: 0, json: { forwards: [], count: 0 } })
  expect(await cli('reverse', 'remove', 'tcp:1')).toMatchObject({ code: 1, json: { code: 'FORWARD_REFUSED' } })
  expect(await cli('daemon', 'status', '--device', serial)).toMatchObject({
    json: { daemon: { status: 'not_running' } },
  })
})

test('--no-daemon leaves nobody to hold it', async () => {
  expect(await cli('forward', 'add', 'tcp:0', 'tcp:7', '--no-daemon')).toMatchObject({
    code: 1,
    json: { code: 'FORWARD_REFUSED', details: { reason: 'daemon_needed' } },
  })
})

test('what was added outlives its command, and ends with the removal', async () => {
  const added = await cli('forward', 'add', 'tcp:0', 'tcp:7')
  expect(added).toMatchObject({ code: 0, json: { forward: { deviceId: serial, remote: 'tcp:7' } } })
  const { forward } = added.json as { forward: { local: string; heldBy: { pid: number } } }
  const socket = connect(Number(forward.local.slice('tcp:'.length)), '127.0.0.1')
  socket.write('hello')
  const [echoed] = (await once(socket, 'data')) as [Buffer]
  expect(echoed.toString()).toBe('hello')
  socket.destroy()
  expect(await cli('forward', 'list')).toEqual({ code: 0, json: { forwards: [forward], count: 1 } })
  expect(await cli('reverse', 'add', 'tcp:3000', 'tcp:9')).toMatchObject({
    code: 0,
    json: { reverse: { local: 'tcp:9', remote: 'tcp:3000', heldBy: forward.heldBy } },
  })
  expect(await cli('forward', 'remove', forward.local)).toEqual({ code: 0, json: { removed: forward } })
  expect(await cli('forward', 'remove', forward.local)).toMatchObject({ json: { details: { reason: 'not_found' } } })
})
