/** Forwards of the adb server: the words of its protocol, what it refuses, and the file that it must not remove. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serverAddress } from '../../../../src/contracts/device/addresses.ts'
import { forwardsIn } from '../../../../src/device/link/forwards/server-forwards.ts'
import { type StubAnswer, startAdbServerStub } from '../../../support/adb/adb-server-stub.ts'
import { temporary } from '../../../support/temporary.ts'
import { linksFor } from '../links-for-tests.ts'

const SERIAL = '192.168.1.20:37099'
const folder = temporary('svc-forwards-')
const soon = () => ({ deadline: Date.now() + 5_000 })
const DONE = { raw: 'OKAYOKAY' }

const asking = async (answers: Readonly<Record<string, StubAnswer>>) => {
  const stub = await startAdbServerStub(answers)
  const forwards = linksFor({ server: serverAddress(stub.env) }).server?.()?.forwards
  if (!forwards) throw new Error('no adb server can be asked')
  return { ...stub, forwards }
}

test('a list is read for one device, whatever else is in it', () => {
  const text = `${SERIAL} tcp:1 tcp:2\nUSB1 tcp:3 tcp:4\n${SERIAL}0 tcp:5 tcp:6\n${SERIAL} localabstract:a tcp:7\nx\n`
  expect(forwardsIn(text, SERIAL)).toEqual([
    { local: 'tcp:1', remote: 'tcp:2' },
    { local: 'localabstract:a', remote: 'tcp:7' },
  ])
})

test('one is added without taking the place of another, and a chosen port is said', async () => {
  const { forwards, requests } = await asking({
    [`host-serial:${SERIAL}:forward:norebind:tcp:8080;tcp:80`]: DONE,
    [`host-serial:${SERIAL}:forward:norebind:tcp:0;localabstract:x`]: { raw: 'OKAYOKAY000540123' },
    [`host-serial:${SERIAL}:forward:tcp:8080;tcp:81`]: DONE,
  })
  const pair = { local: 'tcp:8080', remote: 'tcp:80' }
  expect(await forwards.add(SERIAL, pair, false, soon())).toEqual({ ok: true, value: pair })
  expect(await forwards.add(SERIAL, { local: 'tcp:0', remote: 'localabstract:x' }, false, soon())).toEqual({
    ok: true,
    value: { local: 'tcp:40123', remote: 'localabstract:x' },
  })
  expect(await forwards.add(SERIAL, { ...pair, remote: 'tcp:81' }, true, soon())).toMatchObject({ ok: true })
  expect(requests).toHaveLength(3)
})

test('the same once more succeeds, and another target is refused with what stands there', async () => {
  const { forwards } = await asking({
    'host-serial:*': { fail: 'cannot rebind existing socket' },
    'host:list-forward': `${SERIAL} tcp:8080 tcp:80\n`,
  })
  const pair = { local: 'tcp:8080', remote: 'tcp:80' }
  expect(await forwards.add(SERIAL, pair, false, soon())).toEqual({ ok: true, value: pair })
  expect(await forwards.add(SERIAL, { ...pair, remote: 'tcp:81' }, false, soon())).toMatchObject({
    ok: false,
    reason: 'taken',
    holds: pair,
  })
})

test.each([
  ['cannot bind listener: Address already in use', 'port_in_use'],
  ['cannot bind listener: Permission denied', 'port_in_use'],
  ["device 'x' not found", 'failed'],
])('%s is %s', async (said, reason) => {
  const { forwards } = await asking({ 'host-serial:*': { fail: said } })
  const added = await forwards.add(SERIAL, { local: 'tcp:80', remote: 'tcp:80' }, false, soon())
  expect(added).toEqual({ ok: false, reason, said })
})

test('one that is not there, or is that of another device, is not removed', async () => {
  const { forwards, requests } = await asking({ 'host:list-forward': 'USB1 tcp:8080 tcp:80\n' })
  expect(await forwards.remove(SERIAL, 'tcp:8080', soon())).toMatchObject({ ok: false, reason: 'not_found' })
  expect(requests).toEqual(['host:list-forward'])
})

test('one that is there is removed', async () => {
  const { forwards, requests } = await asking({
    'host:list-forward': `${SERIAL} tcp:8080 tcp:80\n`,
    'host-serial:*': DONE,
  })
  expect(await forwards.remove(SERIAL, 'tcp:8080', soon())).toMatchObject({ ok: true })
  expect(requests.at(-1)).toBe(`host-serial:${SERIAL}:killforward:tcp:8080`)
})

test('a file at the path of a socket stays, for the server would remove it', async () => {
  const { forwards, requests } = await asking({ 'host-serial:*': DONE })
  const path = join(folder(), 'file')
  writeFileSync(path, 'mine')
  const pair = { local: `localfilesystem:${path}`, remote: 'tcp:7' }
  expect(await forwards.add(SERIAL, pair, true, soon())).toMatchObject({ ok: false, reason: 'file_exists' })
  expect({ requests, isThere: existsSync(path) }).toEqual({ requests: [], isThere: true })
})

test('a server that ends in the middle is no answer', async () => {
  const { forwards } = await asking({ 'host-serial:*': { raw: 'OKAY' } })
  const added = forwards.add(SERIAL, { local: 'tcp:80', remote: 'tcp:80' }, false, soon())
  await expect(added).rejects.toMatchObject({ code: 'ADB_SERVER_FAILED' })
})
