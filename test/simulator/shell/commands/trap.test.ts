/** Lines that outlive their host. */

import { expect, test } from 'vitest'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { createPipe } from '../../../../src/simulator/shell/io.ts'
import { createShell } from '../../../../src/simulator/shell/shell.ts'
import { stubPhone } from '../../../support/device/stub-phone.ts'

const setup = (line: string) => {
  const phone = stubPhone(systemClock())
  const stdin = createPipe()
  const host = new AbortController()
  const nobody = () => Promise.reject(new Error('nobody listens'))
  const ended = createShell({ phone, clock: systemClock() }).run(line, {
    stdin,
    stdout: nobody,
    stderr: nobody,
    signal: host.signal,
  })
  const leave = () => {
    host.abort()
    stdin.cancel()
  }
  return { phone, ended, leave, say: (text: string) => stdin.write(Buffer.from(text)) }
}

const GUARD = 'read word; test "$word" = over || am force-stop com.example.notes'

test('a guard that ignores the hang-up acts when its host has gone', async () => {
  const { phone, ended, leave } = setup(`trap '' HUP; ${GUARD}`)
  leave()
  await ended
  expect(phone.done).toEqual(['force-stop com.example.notes'])
})

test('a word of the host lets it go, another one does not', async () => {
  for (const [word, done] of [['over', []] as const, ['stop', ['force-stop com.example.notes']] as const]) {
    const { phone, ended, say } = setup(`trap '' HUP; ${GUARD}`)
    await say(`${word}\n`)
    await ended
    expect(phone.done).toEqual(done)
  }
})

test('without it the line ends with its host', async () => {
  const { phone, ended, leave } = setup(GUARD)
  leave()
  await ended
  expect(phone.done).toEqual([])
})

test('words go to the names, the rest to the last one', async () => {
  const { phone, ended, say } = setup('read a b; read c; setprop x.y "$a|$b|$c"; input text "$a-$c"')
  await say('one two  three\nfour\n')
  await ended
  expect(phone.done).toEqual(['type one-four'])
})
