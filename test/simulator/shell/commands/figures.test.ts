/** `dumpsys gfxinfo|meminfo`, `pm list users` and `nc` of the simulated shell. */
import { expect, test } from 'vitest'
import { framesIn, memoryIn } from '../../../../src/device/perf/figures.ts'
import { createNetwork } from '../../../../src/simulator/network.ts'
import { createShell } from '../../../../src/simulator/shell/shell.ts'
import { runIn } from '../../../support/device/shell-run.ts'
import { stubPhone } from '../../../support/device/stub-phone.ts'
import { manualClock } from '../../../support/manual-clock.ts'

const NAME = 'com.example.notes'
const device = (isRunning = true) => {
  const clock = manualClock()
  const network = createNetwork()
  const phone = { ...stubPhone(clock), network, isRunning: () => isRunning }
  const shell = createShell({ phone, clock })
  return { clock, network, run: (line: string, stdin?: Uint8Array) => runIn(shell, line, stdin) }
}

test('an app that runs has figures, which are read as those of a phone', async () => {
  const { run } = device()
  expect(framesIn((await run(`dumpsys gfxinfo ${NAME}`)).out, NAME)).toMatchObject({ total: 248, p99: 48 })
  expect(memoryIn((await run(`dumpsys meminfo ${NAME}`)).out, NAME)).toMatchObject({ totalPss: 51_236, java: 7_628 })
})

test.each(['gfxinfo', 'meminfo'])('%s of an app that does not run, or is not there, ends with 0', async service => {
  const none = { code: 0, out: `No process found for: ${NAME}\n` }
  expect(await device(false).run(`dumpsys ${service} ${NAME}`)).toMatchObject(none)
  expect(await device().run(`dumpsys ${service} no.such`)).toMatchObject({
    code: 0,
    out: 'No process found for: no.such\n',
  })
})

test('there is one user', async () => {
  expect((await device().run('pm list users')).out).toBe('Users:\n\tUserInfo{0:Owner:4c13} running\n')
})

test('nc carries stdin to a port of the phone until the other side ends', async () => {
  const { network, run } = device()
  network.listen('tcp:3000', socket =>
    socket.onData(bytes => {
      socket.write(Buffer.from(`heard ${Buffer.from(bytes)}`))
      socket.close()
    }),
  )
  expect(await run('echo hello | nc localhost 3000')).toMatchObject({ code: 0, out: 'heard hello\n' })
})

test.each([
  ['nc localhost 3999', 'nc: connect: Connection refused\n'],
  ['nc example.com 80', 'nc: example.com: No address associated with hostname\n'],
  ['nc localhost', 'nc: need HOST PORT\n'],
])('%s fails', async (line, err) => {
  expect(await device().run(line)).toMatchObject({ code: 1, err })
})
