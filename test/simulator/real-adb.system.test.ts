/** The real adb program against the simulated device: the check that our reading of the protocol is not only our own. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { realAdbDevices } from '../support/adb/real-adb-devices.ts'
import { needs } from '../support/needs.ts'
import { until } from '../support/until.ts'

const PUSHED_BYTES = 5 * 1_024 * 1_024

describe.skipIf(!needs('adb'))('a real adb', () => {
  const { adb, attached, child } = realAdbDevices()

  test('lists it with what its banner says', async () => {
    const { serial } = await attached()
    const { stdout } = await adb.run('devices', '-l')
    expect(stdout).toMatch(new RegExp(`${serial}\\s+device product:sim model:Svc_Sim device:sim transport_id:\\d+`))
    expect((await adb.run('connect', serial)).stdout).toContain('already connected')
  })

  test('shell passes stdout, stderr and the exit code apart', async () => {
    const { run } = await attached()
    expect(await run('shell', 'echo out; echo err >&2; exit 7')).toEqual({ code: 7, stdout: 'out\n', stderr: 'err\n' })
    expect(await run('shell', 'nope')).toMatchObject({
      code: 127,
      stderr: expect.stringContaining('nope: inaccessible or not found'),
    })
    expect((await run('shell', '-x', 'echo old')).stdout).toBe('old\n')
  })

  test('shell takes stdin, as a command and as a script', async () => {
    const { serial } = await attached()
    const cat = child(serial, 'shell', 'cat')
    const sent = randomBytes(700_000).toString('hex')
    cat.program.stdin.end(sent)
    await cat.ended
    expect(cat.out().toString()).toBe(sent)
    const script = child(serial, 'shell')
    script.program.stdin.end('A=1\necho "a\nb" $A\ncat\nrest of it\n')
    await script.ended
    expect(script.out().toString()).toBe('a\nb 1\nrest of it\n')
  })

  test('an interactive terminal prompts, echoes, and survives Ctrl-C', async () => {
    const { serial } = await attached()
    const terminal = child(serial, 'shell', '-tt')
    const type = (text: string) => terminal.program.stdin.write(text)
    const seen = (text: string) => until(() => terminal.out().toString().includes(text), JSON.stringify(text))
    await seen('sim:/ $ ')
    type('sleep 1000\r')
    await seen('sleep 1000\r\n')
    type('\u0003')
    await seen('^C\r\nsim:/ $ ')
    type('echo typeX\u007fd; exit 3\r')
    await seen('\r\ntyped\r\n')
    expect((await terminal.ended)[0]).toBe(3)
  })

  test('exec-out gives the screenshot byte for byte', async () => {
    const { phone, serial } = await attached()
    phone.png = randomBytes(3_000_000)
    const shot = child(serial, 'exec-out', 'screencap', '-p')
    await shot.ended
    expect(shot.out().equals(phone.png)).toBe(true)
  })

  test('logcat streams what is written, and the device is told when the reader goes', async () => {
    const { phone, serial } = await attached()
    phone.log.write('I', 'Before', 'old')
    const reader = child(serial, 'logcat', '-v', 'brief', 'Mine:I', '*:S')
    await until(() => phone.following() > 0, 'logcat to follow')
    for (let at = 0; at < 50; at++) {
      phone.log.write('I', 'Mine', `line ${at}`)
      phone.log.write('I', 'Theirs', `line ${at}`)
      phone.log.write('D', 'Mine', 'too low')
    }
    await until(() => reader.out().toString().includes('line 49'), 'the last line')
    const lines = reader
      .out()
      .toString()
      .split('\n')
      .filter(line => !line.startsWith('---------'))
    expect(lines).toEqual([...Array.from({ length: 50 }, (_, at) => `I/Mine    ( 1000): line ${at}`), ''])
    reader.program.kill('SIGTERM')
    await reader.ended
    await until(() => phone.following() === 0, 'the follower to end')
  })

  test('push and pull carry 5 MB unchanged', async () => {
    const { phone, run } = await attached()
    const [from, to] = [join(adb.home, 'pushed'), join(adb.home, 'pulled')]
    const content = randomBytes(PUSHED_BYTES)
    writeFileSync(from, content)
    expect(await run('push', from, '/sdcard/Download/')).toMatchObject({ code: 0 })
    expect(Buffer.from(phone.files.read('/sdcard/Download/pushed')?.content ?? []).equals(content)).toBe(true)
    expect(await run('pull', '/sdcard/Download/pushed', to)).toMatchObject({ code: 0 })
    expect(readFileSync(to).equals(content)).toBe(true)
    expect((await run('ls', '/sdcard/Download')).stdout).toMatch(/ pushed$/m)
    const missing = await run('pull', '/sdcard/nothing', to)
    expect(missing.code).toBe(1)
    expect(missing.stdout + missing.stderr).toContain('No such file or directory')
    const refused = await run('push', from, '/system/x')
    expect(refused.code).toBe(1)
    expect(refused.stdout + refused.stderr).toContain('Read-only file system')
    expect((await run('shell', 'echo still here')).stdout).toBe('still here\n')
  })

  test('forward reaches the socket of an app, both ways', async () => {
    const { phone, run } = await attached()
    const heard: string[] = []
    let closed = () => false
    phone.listeners.set('com.svc.operator', socket => {
      closed = () => socket.closed
      socket.say(Buffer.from('hello '))
      socket.onHeard(bytes => {
        heard.push(Buffer.from(bytes).toString())
        socket.say(Buffer.from(`you said ${Buffer.from(bytes)}`))
      })
    })
    const port = Number((await run('forward', 'tcp:0', 'localabstract:com.svc.operator')).stdout)
    const host = connect(port, '127.0.0.1')
    let said = ''
    host.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
    })
    host.write('ping')
    await until(() => said === 'hello you said ping', 'the answer')
    expect(heard.join('')).toBe('ping')
    host.destroy()
    await until(closed, 'the app to see that the host has gone')
    const nobody = Number((await run('forward', 'tcp:0', 'localabstract:nobody')).stdout)
    const refused = connect(nobody, '127.0.0.1')
    await once(refused, 'close')
  })

  test('reverse forwards are kept in a list', async () => {
    const { run } = await attached()
    expect((await run('reverse', 'tcp:7100', 'tcp:17662')).code).toBe(0)
    expect((await run('reverse', '--list')).stdout).toContain('tcp:7100 tcp:17662')
    expect((await run('reverse', '--remove', 'tcp:7100')).code).toBe(0)
    expect(await run('reverse', '--remove', 'tcp:7100')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not found'),
    })
  })

  test('what a phone in the field refuses is refused', async () => {
    const { run } = await attached()
    expect((await run('root')).stdout + (await run('root')).stderr).toContain('unable to connect for root: closed')
    expect((await run('jdwp')).stderr).toContain('closed')
  })
})
