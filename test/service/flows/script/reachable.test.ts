/** Requests of scripts are judged by the address that they reach, however it is written. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { dispatcherWithin, type Reach, unreachable } from '../../../../src/service/flows/script/reachable.ts'

const CLOSED: Reach = { closedPorts: () => [], isLocalOpen: () => false }

test.each([
  ...['127.0.0.1', '127.9.9.9', '0.0.0.0', '::1', '::', '::ffff:127.0.0.1', '::ffff:7f00:1', '::7f00:1'],
  ...['64:ff9b::7f00:1', '169.254.169.254', 'fe80::1', 'fe80::1%lo', '::ffff:169.254.1.1'],
])('%s is this machine or its link', address => {
  expect(unreachable(address, 80, CLOSED)).toMatch(/flow_http/)
})

test.each(['192.0.2.1', '2001:db8::1', '::ffff:192.0.2.1'])('%s is elsewhere', address => {
  expect(unreachable(address, 80, CLOSED)).toBeUndefined()
})

test.each(['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '0.0.0.0', '[::ffff:127.0.0.1]', '[::1]'])(
  'no request reaches a closed port by %s, and none follows a redirect to it',
  async host => {
    let count = 0
    const svc = createServer((_, response) => {
      count++
      response.end()
    }).listen(0, '127.0.0.1')
    const closed = await new Promise<number>(resolve =>
      svc.once('listening', () => resolve((svc.address() as AddressInfo).port)),
    )
    const other = createServer((_, response) =>
      response.writeHead(302, { location: `http://${host}:${closed}/` }).end(),
    ).listen(0, '127.0.0.1')
    await new Promise(resolve => other.once('listening', resolve))
    onTestFinished(() => {
      svc.close()
      other.close()
    })
    const dispatcher = dispatcherWithin({ closedPorts: () => [closed], isLocalOpen: () => true })
    const init = { dispatcher, method: 'GET' } as RequestInit
    const refusal = expect.objectContaining({
      cause: expect.objectContaining({ message: expect.stringMatching(/svc itself/) }),
    })
    await expect(fetch(`http://${host}:${closed}/`, init)).rejects.toEqual(refusal)
    await expect(fetch(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`, init)).rejects.toEqual(refusal)
    expect(count).toBe(0)
  },
)
