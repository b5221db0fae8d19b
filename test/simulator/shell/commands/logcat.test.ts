import { describe, expect, test } from 'vitest'
import { pause, systemClock } from '../../../../src/runtime/clock.ts'
import type { LogLevel } from '../../../../src/simulator/phone-parts.ts'
import { createPipe } from '../../../../src/simulator/shell/io.ts'
import { createShell } from '../../../../src/simulator/shell/shell.ts'
import { captured, runIn, shellOf } from '../../../support/device/shell-run.ts'
import { stubPhone } from '../../../support/device/stub-phone.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { until } from '../../../support/until.ts'

/** 2024-03-05 07:08:09.010 UTC */
const START = Date.UTC(2024, 2, 5, 7, 8, 9, 10)

const withLog = (...entries: [LogLevel, string, string][]) => {
  const clock = manualClock(START)
  const phone = stubPhone(clock)
  const shell = createShell({ phone, clock })
  for (const [level, tag, message] of entries) {
    phone.log.write(level, tag, message)
    clock.advance(1_500)
  }
  return {
    phone,
    shell,
    clock,
    dump: async (options: string) => (await runIn(shell, `logcat -d -b main ${options}`)).out,
  }
}

const SAMPLE: [LogLevel, string, string][] = [
  ['I', 'One', 'first'],
  ['D', 'Two', 'second\nline'],
  ['E', 'LongerThanEight', 'third'],
]

describe('formats', () => {
  test.each([
    ['raw', 'first\nsecond\nline\nthird\n'],
    [
      'brief',
      'I/One     ( 1000): first\nD/Two     ( 1000): second\nD/Two     ( 1000): line\nE/LongerThanEight( 1000): third\n',
    ],
    ['tag', 'I/One     : first\nD/Two     : second\nD/Two     : line\nE/LongerThanEight: third\n'],
    [
      'process',
      'I( 1000) first  (One)\nD( 1000) second  (Two)\nD( 1000) line  (Two)\nE( 1000) third  (LongerThanEight)\n',
    ],
    [
      'time',
      '03-05 07:08:09.010 I/One     ( 1000): first\n03-05 07:08:10.510 D/Two     ( 1000): second\n03-05 07:08:10.510 D/Two     ( 1000): line\n03-05 07:08:12.010 E/LongerThanEight( 1000): third\n',
    ],
    [
      'threadtime',
      '03-05 07:08:09.010  1000  1000 I One     : first\n03-05 07:08:10.510  1000  1000 D Two     : second\n03-05 07:08:10.510  1000  1000 D Two     : line\n03-05 07:08:12.010  1000  1000 E LongerThanEight: third\n',
    ],
    ['epoch', /^ {9}1709622489\.010 {2}1000 {2}1000 I One {5}: first\n/],
    ['year', /^2024-03-05 07:08:09\.010 {2}1000/],
    ['long', /^\[ 03-05 07:08:09\.010 {2}1000: 1000 I\/One {6}\]\nfirst\n\n/],
  ])('-v %s', async (format, wanted) => {
    const out = await withLog(...SAMPLE).dump(`-v ${format}`)
    if (typeof wanted === 'string') expect(out).toBe(wanted)
    else expect(out).toMatch(wanted)
  })

  test('without -v it is threadtime, and several buffers get a heading', async () => {
    const { shell, dump } = withLog(...SAMPLE)
    expect(await dump('')).toMatch(/^03-05/)
    expect((await runIn(shell, 'logcat -d')).out).toMatch(/^--------- beginning of main\n03-05/)
  })
})

describe('what is shown', () => {
  test.each([
    ['One:I *:S', ['first']],
    ['*:E', ['third']],
    ['Two:I *:S', []],
    ['-s Two', ['second', 'line']],
    ['Two', ['first', 'second', 'line', 'third']],
    ['Two:S', ['first', 'third']],
    ['-e "s.c"', ['second', 'line']],
    ['-m 1', ['first']],
    ['--pid=1000 -m 1', ['first']],
    ['--pid 7', []],
    ['-t 2', ['second', 'line', 'third']],
    ['-T 0', []],
    ['-T 2 One:I *:S', []],
    ["-T '03-05 07:08:10.510'", ['second', 'line', 'third']],
    ["-t '2024-03-05 07:08:10.511'", ['third']],
    ['-T 1709622490.510', ['second', 'line', 'third']],
    ['-T 1709622490.511', ['third']],
  ])('logcat %s', async (options, wanted) => {
    expect(await withLog(...SAMPLE).dump(`-v raw ${options}`)).toBe(wanted.map(line => `${line}\n`).join(''))
  })

  test('ANDROID_LOG_TAGS stands in for filters that are not given, also as adb writes it', async () => {
    const { shell } = withLog(...SAMPLE)
    const tags = (value: string) => runIn(shell, `export ANDROID_LOG_TAGS="${value}"; exec logcat -d -b main -v raw`)
    expect((await tags('One:I *:S')).out).toBe('first\n')
    expect((await tags("''")).out).toBe('first\nsecond\nline\nthird\n')
  })

  test('other buffers are empty, -c empties, -g tells the size', async () => {
    const { shell } = withLog(...SAMPLE)
    expect((await runIn(shell, 'logcat -d -b crash,events')).out).toBe('')
    expect((await runIn(shell, 'logcat -g -b main')).out).toContain('main: ring buffer is 256 KiB')
    await runIn(shell, 'logcat -b crash -c')
    expect((await runIn(shell, 'logcat -d -v raw -b main')).out).not.toBe('')
    await runIn(shell, 'logcat -c')
    expect((await runIn(shell, 'logcat -d')).out).toBe('')
  })

  test.each([
    ['-v nope', 'Invalid parameter "nope" to -v'],
    ['-b nope', "Unknown buffer 'nope'"],
    ['-T yesterday', 'time format'],
    ["-T '13-45 99:99:99.000'", 'time format'],
    ['-Q', 'unknown option: -Q'],
    ['-v', 'option requires an argument'],
    ['Tag:X', "Invalid filter expression 'Tag:X'"],
  ])('logcat %s is refused', async (options, reason) => {
    const { code, err } = await runIn(withLog().shell, `logcat ${options}`)
    expect(code).toBe(1)
    expect(err).toContain(reason)
  })
})

describe('following', () => {
  test('prints the past, then what comes, and ends with its caller', async () => {
    const { phone, shell } = withLog(...SAMPLE)
    const caller = new AbortController()
    const { io, stdout } = captured({ signal: caller.signal })
    const running = shell.run('logcat -b main -v raw -T 1', io)
    await until(() => stdout().toString() === 'third\n', 'the past')
    phone.log.write('I', 'T', 'now')
    await until(() => stdout().toString() === 'third\nnow\n', 'the present')
    caller.abort()
    await running
    expect(phone.following()).toBe(0)
  })

  test('a reader that stalls loses the oldest, is told how many, and costs bounded memory', async () => {
    const { phone, shell } = withLog()
    const caller = new AbortController()
    const pipe = createPipe(1_000)
    const { io } = captured({ signal: caller.signal, stdout: pipe.write })
    const running = shell.run('logcat -b main -v raw', io)
    await until(() => phone.following() === 1, 'logcat to follow')
    for (let at = 0; at < 3_000; at++) {
      phone.log.write('I', 'T', `${at} ${'x'.repeat(1_000)}`)
      if (at === 10) await pause(systemClock(), 1)
    }
    let text = ''
    while (!text.includes('\n2999 ')) text += Buffer.from((await pipe.read()) ?? []).toString()
    const lost = Number(/^-{9} (\d+) entries lost/m.exec(text)?.[1])
    expect(lost + (text.match(/^\d+ x/gm)?.length ?? 0)).toBe(3_000)
    expect(text.length).toBeLessThan(350_000)
    caller.abort()
    pipe.cancel()
    await running
  })

  test('-m ends it', async () => {
    const { phone, shell } = withLog(...SAMPLE)
    const running = runIn(shell, 'logcat -b main -v raw -m 4')
    await until(() => phone.following() === 1, 'logcat to follow')
    phone.log.write('I', 'T', 'fourth')
    expect((await running).out).toBe('first\nsecond\nline\nthird\nfourth\n')
  })
})

test('log writes to it', async () => {
  const phone = stubPhone(systemClock())
  await runIn(shellOf(phone), "log -p e -t Mine 'it is' here")
  expect(phone.log.entries()[0]).toMatchObject({ level: 'E', tag: 'Mine', message: 'it is here' })
})
