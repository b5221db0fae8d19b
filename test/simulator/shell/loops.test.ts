/** Loops have an end, whatever their test says, and keep nobody else waiting. */
import { describe, expect, test } from 'vitest'
import { ROUNDS_MAX } from '../../../src/simulator/shell/run-compound.ts'
import { createShell } from '../../../src/simulator/shell/shell.ts'
import { captured, runIn, shellOf } from '../../support/device/shell-run.ts'
import { stubPhone } from '../../support/device/stub-phone.ts'
import { manualClock } from '../../support/manual-clock.ts'

describe('a loop without an end', () => {
  test.each([
    'while true; do :; done',
    'while :; do for a in 1 2 3; do :; done; done',
    "while :; do sh -c 'while :; do :; done'; done",
  ])('%s is ended by the shell, with a failure that says so', async line => {
    const { code, err } = await runIn(shellOf(), `${line}; echo never`)
    expect(code).toBe(1)
    expect(err).toContain(`this shell takes ${ROUNDS_MAX} rounds`)
  })

  test('ends with its caller', async () => {
    const caller = new AbortController()
    const { io } = captured({ signal: caller.signal })
    const running = shellOf().run('while true; do sleep 0.001; done', io)
    caller.abort()
    expect(await running).toBe(141)
  })

  test('lets others work', async () => {
    const shell = shellOf()
    const order: string[] = []
    const endless = runIn(shell, 'while true; do :; done').then(() => order.push('endless'))
    await runIn(shell, 'echo quick').then(() => order.push('quick'))
    await new Promise(resolve => setImmediate(resolve))
    expect(order).toEqual(['quick'])
    await endless
  })
})

test('a wait in a loop takes the time of the device', async () => {
  const [clock, waits] = [manualClock(), manualClock()]
  const shell = createShell({ phone: stubPhone(clock), clock, waits })
  const running = runIn(shell, 'for a in 1 2; do sleep 1; done; echo done')
  for (let second = 0; second < 2; second += 1) {
    await new Promise(resolve => setImmediate(resolve))
    waits.advance(1_000)
  }
  expect((await running).out).toBe('done\n')
})

test('read takes lines of a file, of a here-document and of a pipe, and leaves the rest', async () => {
  const shell = shellOf()
  await runIn(shell, "printf 'a 1\\nb 2\\n' > /sdcard/list")
  const each = 'while read name value; do echo "$value$name"; done'
  expect((await runIn(shell, `${each} < /sdcard/list`)).out).toBe('1a\n2b\n')
  expect((await runIn(shell, `cat /sdcard/list | ${each}`)).out).toBe('1a\n2b\n')
  expect((await runIn(shell, 'cat /sdcard/list | { read first; cat; }')).out).toBe('b 2\n')
  expect((await runIn(shell, 'read -r x <<< "a\\\\b"; echo "$x"; read x; echo $?')).out).toBe('a\\b\n1\n')
})

test('break and continue outside of a loop change nothing', async () => {
  const { code, out, err } = await runIn(shellOf(), 'break; continue; echo on')
  expect({ code, out }).toEqual({ code: 0, out: 'on\n' })
  expect(err).toContain('cannot break')
})

test('arithmetic over variables that double each other has an end', async () => {
  const names = [...'abcdefghijklmnopqrstuvwxyz']
  const doubling = names.map((name, at) => `${name}=${names[at + 1] ?? '1'}+${names[at + 1] ?? '1'}`).join('; ')
  const { code, err } = await runIn(shellOf(), `${doubling}; echo $((a))`)
  expect(code).not.toBe(0)
  expect(err).toContain('expression recurses')
})
