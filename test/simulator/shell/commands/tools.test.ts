/** The small Unix tools: files, text, time. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createFiles } from '../../../../src/simulator/files.ts'
import { createShell } from '../../../../src/simulator/shell/shell.ts'
import { runIn } from '../../../support/device/shell-run.ts'
import { stubPhone } from '../../../support/device/stub-phone.ts'
import { manualClock } from '../../../support/manual-clock.ts'

const NOW = Date.UTC(2024, 1, 9, 3, 4, 5, 678)

const device = () => {
  const clock = manualClock(NOW)
  const phone = stubPhone(clock)
  const shell = createShell({ phone, clock })
  return { clock, phone, run: (line: string, stdin?: Uint8Array) => runIn(shell, line, stdin) }
}

describe('files', () => {
  test('ls', async () => {
    const { run } = device()
    await run('cd /sdcard/Download; echo hello > b; touch a .hidden; mkdir c')
    expect((await run('ls /sdcard/Download')).out).toBe('a\nb\nc\n')
    expect((await run('ls -a /sdcard/Download')).out).toBe('.hidden\na\nb\nc\n')
    expect((await run('ls -l /sdcard/Download/b')).out).toBe(
      '-rw-rw---- 1 shell shell        6 2024-02-09 03:04 /sdcard/Download/b\n',
    )
    expect((await run('ls -l /sdcard/Download')).out).toMatch(/^total 12\n-rw[\s\S]*\ndrwxrwx--x 2 shell/)
    expect((await run('ls -ld /sdcard')).out).toMatch(/^drwx.* \/sdcard\n$/)
    expect(await run('ls /none /sdcard/Download/a')).toMatchObject({
      code: 1,
      out: '/sdcard/Download/a\n',
      err: 'ls: /none: No such file or directory\n',
    })
  })

  test('rm', async () => {
    const { run, phone } = device()
    await run('mkdir -p /sdcard/d/e; touch /sdcard/d/e/f /sdcard/g')
    expect(await run('rm /sdcard/d')).toMatchObject({ code: 1, err: 'rm: /sdcard/d: is a directory\n' })
    expect(await run('rm /sdcard/none')).toMatchObject({
      code: 1,
      err: 'rm: /sdcard/none: No such file or directory\n',
    })
    expect(await run('rm -f /sdcard/none /sdcard/g')).toMatchObject({ code: 0, err: '' })
    expect((await run('rm -rf /sdcard/d')).code).toBe(0)
    expect(phone.files.list('/sdcard/d')).toBeUndefined()
    phone.files.write('/system/x', new Uint8Array())
    expect((await run('rm -f /system/x')).err).toContain('Read-only file system')
    expect(phone.files.read('/system/x')).toBeDefined()
  })

  test('mkdir, touch, cp, mv, stat', async () => {
    const { run, phone } = device()
    expect((await run('mkdir /sdcard/a/b')).err).toContain('No such file or directory')
    expect((await run('mkdir /sdcard')).err).toContain('File exists')
    await run(
      'mkdir -p /sdcard/a/b; echo x > /sdcard/f; cp /sdcard/f /sdcard/a; cp /sdcard/f /sdcard/g; mv /sdcard/g /sdcard/a/b/h',
    )
    expect((await run('cat /sdcard/a/f /sdcard/a/b/h; ls /sdcard/g')).out).toBe('x\nx\n')
    phone.files.write('/system/y', new TextEncoder().encode('y'))
    expect((await run('mv /system/y /sdcard/')).code).toBe(1)
    expect((await run('stat -c "%n %s %F %a" /sdcard/f /sdcard')).out).toBe(
      '/sdcard/f 2 regular file 660\n/sdcard 4096 directory 771\n',
    )
    expect((await run('touch -c /sdcard/none; ls /sdcard/none')).code).toBe(1)
  })

  test('a full disk is said', async () => {
    const clock = manualClock(NOW)
    const phone = Object.assign(stubPhone(clock), { files: createFiles({ clock, bytes: 10_000 }) })
    const shell = createShell({ phone, clock })
    expect(await runIn(shell, 'screencap -p /sdcard/a.png')).toMatchObject({
      code: 1,
      err: expect.stringContaining('No space left on device'),
    })
    expect(await runIn(shell, 'screencap -p > /sdcard/a.png')).toMatchObject({
      code: 1,
      err: expect.stringContaining('No space left on device'),
    })
  })
})

describe('text', () => {
  test('binary content goes through unchanged', async () => {
    const { run } = device()
    const bytes = Uint8Array.from({ length: 256 * 40 }, (_, at) => at & 0xff)
    expect((await run('cat | cat > /sdcard/b; cat /sdcard/b', bytes)).stdout.equals(Buffer.from(bytes))).toBe(true)
    expect((await run('base64 /sdcard/b | base64 -d')).stdout.equals(Buffer.from(bytes))).toBe(true)
    expect((await run('sha256sum /sdcard/b')).out).toBe(
      `${createHash('sha256').update(bytes).digest('hex')}  /sdcard/b\n`,
    )
    expect((await run('wc -c /sdcard/b')).out).toBe(`${bytes.length} /sdcard/b\n`)
    expect((await run('head -c 300 /sdcard/b | tail -c 10')).stdout).toEqual(Buffer.from(bytes.subarray(290, 300)))
  })

  test('a stream that would run on is ended by head', async () => {
    const { run, phone } = device()
    phone.log.write('I', 'T', 'one')
    const writing = setInterval(() => phone.log.write('I', 'T', 'more'), 1)
    const { out } = await run('logcat -b main -v raw | head -n 2').finally(() => clearInterval(writing))
    expect(out).toBe('one\nmore\n')
    expect(phone.following()).toBe(0)
  })

  test('a huge width is not a way to fill the memory', async () => {
    const { run } = device()
    expect((await run("printf '%999999999s' x")).stdout.length).toBeLessThan(20_000)
  })
})

describe('time', () => {
  test('date', async () => {
    const { run } = device()
    expect((await run('date; date +%s; date "+%m-%d %H:%M:%S.%3N"; date +%Y%%%j')).out).toBe(
      'Fri Feb  9 03:04:05 GMT 2024\n1707447845\n02-09 03:04:05.678\n2024%%j\n',
    )
  })

  test('sleep waits in device time, and timeout ends what takes too long', async () => {
    const { run, clock } = device()
    const order: string[] = []
    const sleeping = run('sleep 2.5; echo $?').then(({ out }) => order.push(`slept ${out.trim()}`))
    const timed = run('timeout 1 sleep 1000; echo $?; timeout 1 true; echo $?').then(({ out }) => order.push(out))
    await new Promise(resolve => setImmediate(resolve))
    clock.advance(1_000)
    await timed
    clock.advance(1_500)
    await sleeping
    expect(order).toEqual(['143\n0\n', 'slept 0'])
    expect(clock.pending()).toBe(0)
    expect((await run('sleep soon')).code).toBe(1)
  })

  test('who and what runs', async () => {
    const { run } = device()
    expect((await run('whoami; id -u; pidof com.absent || echo none')).out).toBe('shell\n2000\nnone\n')
    const { out } = await run('pidof com.example.notes; ps -A | grep com.example.notes')
    const [pid = '', row = ''] = out.split('\n')
    expect(row).toContain(` ${pid} `)
  })
})
