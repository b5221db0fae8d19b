import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { bytesInput, createPipe, type Io } from '../../../src/simulator/shell/io.ts'
import { createTerminal } from '../../../src/simulator/shell/terminal.ts'
import { captured, shellOf } from '../../support/device/shell-run.ts'
import { stubPhone } from '../../support/device/stub-phone.ts'
import { until } from '../../support/until.ts'

const script = async (text: string) => {
  const { io, stdout, stderr } = captured({ stdin: bytesInput(Buffer.from(text)) })
  const code = await shellOf().interact(io, { prompt: false })
  return { code, out: stdout().toString(), err: stderr().toString() }
}

describe('a script on stdin', () => {
  test('runs line by line, in one scope, and ends with the last code', async () => {
    expect(await script('A=1\ncd /sdcard\necho "$A $PWD"\nfalse')).toEqual({ code: 1, out: '1 /sdcard\n', err: '' })
  })

  test('a quote may span lines, and a command may read what follows', async () => {
    expect((await script("echo 'a\nb'\nhead -n 1\nnot a command\n")).out).toBe('a\nb\nnot a command\n')
  })

  test('exit ends it; an open quote at the end is said', async () => {
    expect(await script('exit 4\necho never\n')).toMatchObject({ code: 4, out: '' })
    expect(await script('echo "open\n')).toMatchObject({ code: 1, err: expect.stringContaining('no closing quote') })
    expect((await script('echo )\necho on\n')).out).toBe('on\n')
  })
})

describe('a terminal', () => {
  const open = () => {
    const keys = createPipe()
    const { io, stdout } = captured({ stdin: keys })
    const phone = stubPhone(systemClock())
    const run = (use: (terminal: ReturnType<typeof createTerminal>, outer: Io) => Promise<number>) =>
      use(createTerminal(io), io)
    return {
      phone,
      type: (text: string) => keys.write(Buffer.from(text)),
      seen: (text: string) =>
        until(() => stdout().toString().endsWith(text), `${JSON.stringify(text)} after ${stdout()}`),
      shell: run(({ io: inner, onInterrupt }) => shellOf(phone).interact(inner, { prompt: true, onInterrupt })),
    }
  }

  test('prompts, echoes, edits, and ends with Ctrl-D', async () => {
    const { type, seen, shell } = open()
    await seen('sim:/ $ ')
    await type('echx\u007fo hi\r')
    await seen('echx\b \bo hi\r\nhi\r\nsim:/ $ ')
    await type('echo "a\r')
    await seen('> ')
    await type('b"\r')
    await seen('a\r\nb\r\nsim:/ $ ')
    await type('\u0004')
    expect(await shell).toBe(0)
  })

  test('Ctrl-C ends the command and leaves the shell', async () => {
    const { type, seen, shell, phone } = open()
    await seen('$ ')
    for (const line of ['logcat', 'cat', 'sleep 1000']) {
      await type(`${line}\r`)
      await seen(`${line}\r\n`)
      await type('\u0003')
      await seen('^C\r\nsim:/ $ ')
    }
    expect(phone.following()).toBe(0)
    await type('exit 5\r')
    expect(await shell).toBe(5)
  })
})
