/** Commands whose caller has gone: each one ends, and nothing after it runs. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { COMMANDS } from '../../../src/simulator/shell/commands/table.ts'
import { createPipe, StreamEnded } from '../../../src/simulator/shell/io.ts'
import { captured, runIn, shellOf } from '../../support/device/shell-run.ts'
import { stubPhone } from '../../support/device/stub-phone.ts'
import { propertyRuns } from '../../support/property-runs.ts'

const turn = () => new Promise(resolve => setImmediate(resolve))

/** Runs a line on an endless stdin, hangs up, and waits for it to notice. */
const abandoned = async (line: string) => {
  const phone = stubPhone(systemClock())
  const caller = new AbortController()
  const stdin = createPipe()
  const { io } = captured({ stdin, signal: caller.signal })
  const running = shellOf(phone).run(line, io)
  await turn()
  caller.abort()
  stdin.cancel()
  await running
  return phone
}

describe('a caller that has gone', () => {
  test.each(Object.keys(COMMANDS))('%s ends', async name => {
    await abandoned(`${name}; ${name} -`)
  })

  test.each([
    'sleep 1000',
    'cat',
    'logcat',
    'logcat | cat | cat',
    'sleep 1000 | cat',
    'cat | sh -c cat',
    '(sleep 1000)',
    'A=$(sleep 1000)',
    'timeout 1000 logcat',
    'input swipe 0 0 900 900 100000',
    'head -n 5',
    'cat > /sdcard/x',
  ])('%s ends, and what follows does not run', async line => {
    const phone = await abandoned(`${line}; input tap 1 1`)
    expect(phone.done.filter(entry => entry.startsWith('tap'))).toEqual([])
    expect(phone.following()).toBe(0)
  })

  test('what was caught for a file is written', async () => {
    const phone = stubPhone(systemClock())
    const caller = new AbortController()
    const { io } = captured({ signal: caller.signal })
    phone.log.write('I', 'T', 'kept')
    const running = shellOf(phone).run('logcat -b main -v raw > /sdcard/log.txt', io)
    await turn()
    caller.abort()
    await running
    expect((await runIn(shellOf(phone), 'cat /sdcard/log.txt')).out).toBe('kept\n')
  })
})

test('words of every kind, in any order, end', async () => {
  const names = Object.keys(COMMANDS)
  const word = fc.oneof(
    fc.constantFrom(...names),
    fc.constantFrom('-', '-a', '-n', '--', '/sdcard', '/sdcard/f', '*', "''", '$?', '1', 'com.x'),
  )
  const glue = fc.constantFrom(' ', ' ', ' ', '; ', ' | ', ' && ', ' || ', ' > /sdcard/f ', ' < /sdcard/f ', ' 2>&1 ')
  const line = fc.array(fc.tuple(word, glue), { maxLength: 12 }).map(pairs => pairs.flat().join(''))
  // Each has a phone of its own, and much of its end is waiting.
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 8, maxLength: 8 }), lines =>
      Promise.all(lines.map(abandoned)).then(() => true),
    ),
    { numRuns: propertyRuns(25) },
  )
})

describe('createPipe', () => {
  test('holds its writer back, and tells it when the reader leaves', async () => {
    const pipe = createPipe(10)
    await pipe.write(new Uint8Array(10))
    let wrote = false
    const writing = pipe.write(new Uint8Array(1)).then(() => {
      wrote = true
    })
    await turn()
    expect(wrote).toBe(false)
    expect((await pipe.read())?.length).toBe(10)
    await writing
    const stuck = pipe.write(new Uint8Array(20))
    pipe.cancel()
    await expect(stuck).rejects.toThrow(StreamEnded)
    await expect(pipe.write(new Uint8Array(1))).rejects.toThrow(StreamEnded)
    expect(await pipe.read()).toBeUndefined()
  })

  test('gives all that was written, in order, before its end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 30 })),
        fc.integer({ min: 1, max: 40 }),
        async (chunks, bound) => {
          const pipe = createPipe(bound)
          const write = async () => {
            for (const chunk of chunks) await pipe.write(chunk)
            pipe.end()
          }
          const writing = write()
          const read: Uint8Array[] = []
          for (let chunk = await pipe.read(); chunk; chunk = await pipe.read()) read.push(chunk)
          await writing
          expect(Buffer.concat(read).equals(Buffer.concat(chunks))).toBe(true)
        },
      ),
    )
  })
})
