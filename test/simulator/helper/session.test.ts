/** The snapshot helper of a simulated phone, spoken to as a host does. */
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import type { Fault } from '../../../src/simulator/scenario/fault.ts'
import { emptyInput } from '../../../src/simulator/shell/io.ts'
import { createShell } from '../../../src/simulator/shell/shell.ts'
import { snapshotApk } from '../../support/device/helper-apks.ts'
import { phoneOf } from '../../support/simulator/simulated-phone.ts'
import { until } from '../../support/until.ts'

const PACKAGE = 'com.callstack.agentdevice.snapshothelper'
const COMPONENT = `${PACKAGE}/.SnapshotInstrumentation`
const PORT = 23_456

const setup = (faults: readonly Fault[] = []) => {
  const phone = phoneOf({ apks: [snapshotApk()], faults })
  const shell = createShell({ phone, clock: systemClock() })
  const start = (line: string) => {
    const ending = new AbortController()
    let said = ''
    const keep = async (bytes: Uint8Array) => {
      said += Buffer.from(bytes).toString()
    }
    const ended = shell.run(line, { stdin: emptyInput, stdout: keep, stderr: keep, signal: ending.signal })
    return { ended, said: () => said, kill: () => ending.abort() }
  }
  const run = async (line: string) => {
    const started = start(line)
    const code = await started.ended
    return { code, said: started.said() }
  }
  const session = async () => {
    const am = start(`am instrument -w -e sessionPort ${PORT} -e emitChunks false ${COMPONENT}`)
    await until(() => am.said().includes('INSTRUMENTATION_STATUS_CODE: 2'), 'the session')
    return am
  }
  /** Undefined when nobody listens. */
  const ask = (line: string) => {
    const socket = phone.helpers?.snapshot.connect(PORT)
    if (!socket) return undefined
    const pieces: Uint8Array[] = []
    socket.onData(bytes => pieces.push(bytes))
    const answer = new Promise<{ fields: Map<string, string>; body: string }>(resolve =>
      socket.onClose(() => {
        const [head = '', ...body] = Buffer.concat(pieces).toString().split('\n\n')
        const fields = new Map(
          head.split('\n').map(one => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)] as const),
        )
        resolve({ fields, body: body.join('\n\n') })
      }),
    )
    socket.write(Buffer.from(`${line}\n`))
    return answer
  }
  return { phone, start, run, session, ask }
}

const gesture = (samples: readonly object[], durationMs: number) => {
  const pointers = [{ pointerId: 0, samples }]
  const plan = { protocol: 'android-touch-plan-v1', kind: 'swipe', durationMs, pointers }
  return Buffer.from(JSON.stringify(plan)).toString('base64')
}

describe('a session', () => {
  test('answers a snapshot with its window attributes and the given id, and ends when it is told to', async () => {
    const { session, ask, run } = setup()
    const am = await session()
    const answer = await ask('snapshot abc')
    expect(Object.fromEntries(answer?.fields ?? [])).toMatchObject({
      agentDeviceProtocol: 'android-snapshot-helper-v1',
      helperApiVersion: '2',
      requestId: 'abc',
      ok: 'true',
      byteLength: String(Buffer.byteLength(answer?.body ?? '')),
    })
    expect(answer?.body).toContain('window-active="true"')
    expect(answer?.body).toContain('visible-to-user="false"')
    expect(answer?.body).not.toMatch(/check(?:able|ed)=|long-clickable=/)
    expect((await run(`pidof ${PACKAGE}`)).code).toBe(0)
    expect((await ask('quit q'))?.fields.get('ok')).toBe('true')
    expect(await am.ended).toBe(0)
    expect(am.said()).toContain('INSTRUMENTATION_RESULT: sessionEnded=true')
    expect((await run(`pidof ${PACKAGE}`)).code).toBe(1)
    expect(ask('snapshot abc')).toBeUndefined()
  })

  test('taps, and counts the events', async () => {
    const { phone, session, ask } = setup()
    phone.startActivity({ action: 'android.intent.action.MAIN', packageName: 'com.android.settings', extras: {} })
    const row = () => JSON.stringify(phone.tree()).includes('"resourceId":"com.android.settings:id/wifi_switch"')
    await session()
    expect(row()).toBe(true)
    const find =
      /wifi_switch","className":"[^"]*","packageName":"[^"]*","contentDesc":"[^"]*","checkable":true,"checked":(\w+)/
    const before = find.exec(JSON.stringify(phone.tree()))?.[1]
    const node = JSON.stringify(phone.tree())
    const [, left, top] = /wifi_switch".*?"bounds":\{"left":(\d+),"top":(\d+)/.exec(node) ?? []
    const point = { x: Number(left) + 5, y: Number(top) + 5 }
    const samples = [
      { offsetMs: 0, ...point },
      { offsetMs: 60, ...point },
    ]
    const answer = await ask(`gesture g ${gesture(samples, 60)}`)
    expect(Object.fromEntries(answer?.fields ?? [])).toMatchObject({ ok: 'true', kind: 'swipe', injectedEvents: '3' })
    expect(find.exec(JSON.stringify(phone.tree()))?.[1]).not.toBe(before)
  })

  test.each([
    ['one sample', 'Planned pointer path requires at least two samples', [{ offsetMs: 0, x: 1, y: 1 }], 0],
    [
      'samples out of order',
      'Planned sample offsets must be strictly increasing',
      [
        { offsetMs: 0, x: 1, y: 1 },
        { offsetMs: 50, x: 1, y: 1 },
        { offsetMs: 40, x: 1, y: 1 },
      ],
      40,
    ],
  ])('refuses a plan with %s, in the words of the helper', async (_, message, samples, durationMs) => {
    const { session, ask } = setup()
    await session()
    const answer = await ask(`gesture g ${gesture(samples, durationMs)}`)
    expect(Object.fromEntries(answer?.fields ?? [])).toMatchObject({ ok: 'false', message })
  })

  test('excludes uiautomator dump, and a dump that runs excludes it', async () => {
    const { phone, session, ask, run } = setup()
    await session()
    expect((await run('uiautomator dump')).code).toBe(0)
    await ask('snapshot a')
    const refused = await run('uiautomator dump')
    expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('already registered!') })
    expect((await run('dumpsys accessibility')).said).toContain('Ui Automation[')
    await run(`am force-stop ${PACKAGE}`)
    expect((await run('uiautomator dump')).code).toBe(0)
    const dump = phone.helpers?.automation.connect('uiautomator')
    await session()
    expect((await ask('snapshot b'))?.fields.get('message')).toContain('already registered!')
    dump?.release()
    expect((await ask('snapshot c'))?.fields.get('ok')).toBe('true')
  })

  test('whose am has gone keeps its port and answers with errors', async () => {
    const { session, ask, run } = setup()
    const am = await session()
    await ask('snapshot a')
    am.kill()
    await am.ended
    expect((await ask('snapshot b'))?.fields.get('message')).toBe('UiAutomation not connected!')
    expect((await run('uiautomator dump')).code).toBe(0)
    expect((await run(`pidof ${PACKAGE}`)).code).toBe(0)
    await run(`am force-stop ${PACKAGE}`)
    expect(ask('snapshot c')).toBeUndefined()
  })

  test('that gets no UiAutomation for a touch ends without an answer to it', async () => {
    const { phone, session, ask } = setup()
    const dump = phone.helpers?.automation.connect('uiautomator')
    const am = await session()
    expect((await ask('snapshot a'))?.fields.get('ok')).toBe('false')
    expect(Object.fromEntries((await ask(`viewport b`))?.fields ?? [])).toEqual({ '': '' })
    expect(await am.ended).toBe(0)
    expect(am.said()).toMatch(
      /INSTRUMENTATION_RESULT: ok=false\n[\s\S]*already registered![\s\S]*INSTRUMENTATION_CODE: 1\n$/,
    )
    expect(ask('snapshot c')).toBeUndefined()
    dump?.release()
  })

  test('repeats the options that it was started with, and knows no other command', async () => {
    const { start, ask } = setup()
    const am = start(`am instrument -w -e maxNodes 7 -e maxDepth none -e sessionPort ${PORT} ${COMPONENT}`)
    await until(() => am.said().includes('INSTRUMENTATION_STATUS_CODE: 2'), 'the session')
    expect(am.said()).toContain('INSTRUMENTATION_STATUS: agentDeviceProtocol=android-snapshot-helper-v1\n')
    expect(Object.fromEntries((await ask('snapshot a'))?.fields ?? [])).toMatchObject({
      ...{ maxNodes: '7', maxDepth: '128', timeoutMs: '8000', waitForIdleTimeoutMs: '500', waitForIdleQuietMs: '100' },
      ...{ nodeCount: '7', truncated: 'true', windowCount: '2' },
    })
    expect(Object.fromEntries((await ask('tap b'))?.fields ?? [])).toMatchObject({
      ...{ ok: 'false', requestId: 'b', outputFormat: 'uiautomator-xml' },
      ...{ errorType: 'java.lang.IllegalArgumentException', message: 'unknown session command' },
    })
  })

  test.each([
    [80, 'java.net.BindException', 'bind failed: EACCES (Permission denied)'],
    [70_000, 'java.lang.IllegalArgumentException', 'Port value out of range: 70000'],
    [PORT, 'java.net.BindException', 'bind failed: EADDRINUSE (Address already in use)'],
  ])('on port %i cannot begin, and says so in the protocol', async (port, errorType, message) => {
    const { run } = setup([{ after: 0, do: 'port-taken', times: 1 }])
    const { said } = await run(`am instrument -w -e sessionPort ${port} ${COMPONENT}`)
    for (const line of ['agentDeviceProtocol=android-snapshot-helper-v1', 'ok=false', `errorType=${errorType}`])
      expect(said).toContain(`INSTRUMENTATION_RESULT: ${line}\n`)
    expect(said).toMatch(/INSTRUMENTATION_CODE: 1\n$/)
    expect(said).toContain(`INSTRUMENTATION_RESULT: message=${message}\n`)
  })

  test('measures the window in front and the keyboard over it, and lists both', async () => {
    const { phone, session, ask } = setup()
    phone.startActivity({ action: 'android.intent.action.MAIN', packageName: 'com.android.settings', extras: {} })
    await session()
    expect((await ask('viewport a'))?.fields.has('keyboardY')).toBe(false)
    const [, left, top] = /search".*?"bounds":\{"left":(\d+),"top":(\d+)/.exec(JSON.stringify(phone.tree())) ?? []
    phone.tap({ x: Number(left) + 5, y: Number(top) + 5 })
    const { fields } = (await ask('viewport b')) ?? {}
    expect(Number(fields?.get('keyboardY')) + Number(fields?.get('keyboardHeight'))).toBe(phone.size.height)
    expect((await ask('snapshot c'))?.body).toMatch(/window-type="2" window-layer="\d+" window-active="false"/)
    phone.setShade(true)
    expect((await ask('snapshot d'))?.body).toMatch(/window-type="3" window-layer="\d+" window-active="true"/)
  })

  test('is ended by another start, which says so', async () => {
    const { session } = setup()
    const first = await session()
    await session()
    expect(await first.ended).toBe(0)
    expect(first.said()).toContain('shortMsg=Process crashed.')
  })

  test.each<[Fault['do'], boolean]>([
    ['helper-dies-before', false],
    ['helper-dies-after', false],
    ['helper-hangs-up', true],
  ])('%s: the connection ends without an answer', async (kind, lives) => {
    const { session, ask } = setup([{ after: 1, do: kind, times: 1 }])
    await session()
    expect((await ask('snapshot a'))?.fields.get('ok')).toBe('true')
    expect((await ask('snapshot b'))?.body).toBe('')
    expect(ask('snapshot c') !== undefined).toBe(lives)
  })
})

describe('a call of its own', () => {
  test('prints the tree in chunks that may split a character', async () => {
    const { run } = setup()
    const { said } = await run(`am instrument -w ${COMPONENT}`)
    const chunks = [...said.matchAll(/payloadBase64=(\S+)/g)].map(([, data = '']) => Buffer.from(data, 'base64'))
    expect(said).toContain(`chunkCount=${chunks.length}\n`)
    expect(Buffer.concat(chunks).toString()).toMatch(/^<\?xml .*<\/hierarchy>$/)
    expect(said).toContain('INSTRUMENTATION_RESULT: ok=true')
    expect(said).toMatch(/INSTRUMENTATION_CODE: 0\n$/)
  })

  test.each([
    ['/data/local/tmp/out.xml', 'java.io.FileNotFoundException'],
    ['/sdcard/Android/data/com.callstack.agentdevice.snapshothelper/files/out.xml', undefined],
  ])('writes to the file %s only where the app may', async (path, errorType) => {
    const { phone, run } = setup()
    const { said } = await run(`am instrument -w -e emitChunks false -e outputPath ${path} ${COMPONENT}`)
    expect(said).not.toContain('payloadBase64')
    expect(said).toContain(errorType ? `errorType=${errorType}` : 'INSTRUMENTATION_RESULT: ok=true')
    expect(
      Buffer.from(phone.files.read(path)?.content ?? [])
        .toString()
        .endsWith('</hierarchy>'),
    ).toBe(!errorType)
  })

  test.each([
    ['-e mode other', 'Unsupported mode: other'],
    ['-e mode gesture', 'Missing payloadBase64'],
  ])('with %s fails in the protocol', async (options, message) => {
    const { run } = setup()
    const { said } = await run(`am instrument -w ${options} ${COMPONENT}`)
    expect(said).toContain('INSTRUMENTATION_RESULT: agentDeviceProtocol=android-snapshot-helper-v1\n')
    expect(said).toContain(`INSTRUMENTATION_RESULT: message=${message}\nINSTRUMENTATION_CODE: 1\n`)
  })

  test('of a package that is not there fails', async () => {
    const { run } = setup()
    const { code, said } = await run('am instrument -w com.nobody/.Runner')
    expect(code).toBe(1)
    expect(said).toContain('Unable to find instrumentation info')
  })
})
