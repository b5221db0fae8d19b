/** Every way in which an operator or a link can misbehave ends in its documented code, in time, and once. */
import { describe, expect, test } from 'vitest'
import type { LinkErrorCode } from '../../src/adb/link-error.ts'
import { envelopeFor } from '../support/fake-device.ts'
import { type OperatorHost, operatorHost } from '../support/operator-host.ts'
import { chunkLine, chunksOf, closeStep, okStep, resultLine, sleepStep } from '../support/operator-samples.ts'
import { settled } from '../support/settled.ts'

const TIMEOUT_MS = 30_000
const GRACE_MS = 5_000
const LATE_MS = 2_000
const step = [sleepStep('a')]
const ways = ['broadcast', 'socket'] as const
const setup = (way: (typeof ways)[number] = 'broadcast') => {
  const host = operatorHost()
  host.device.operator = way
  return host
}
type Run = ReturnType<OperatorHost['start']>
const errorOf = (run: Run) => (run.outcome?.result.ok === false ? run.outcome.result.error : undefined)
const receiptOf = (host: OperatorHost) => host.journal.receipt('e1')
/** Moves on second by second to just after the machine's wait, and the last look that it grants. */
const toDeadline = async (host: OperatorHost) => {
  for (let second = 0; second < (TIMEOUT_MS + GRACE_MS) / 1_000; second++) await host.later(1_000)
  await host.later(LATE_MS - 1)
}

describe('before anything was dispatched', () => {
  test.each<[LinkErrorCode, string]>([
    ['ADB_NOT_FOUND', 'ADB_NOT_FOUND'],
    ['ADB_SERVER_FAILED', 'ADB_SERVER_FAILED'],
    ['DEVICE_LINK_LOST', 'DEVICE_LINK_LOST'],
    ['DEVICE_NOT_FOUND', 'DEVICE_LINK_LOST'],
    ['DEVICE_OFFLINE', 'DEVICE_OFFLINE'],
    ['DEVICE_SHELL_UNAVAILABLE', 'DEVICE_SHELL_UNAVAILABLE'],
    ['DEVICE_UNAUTHORIZED', 'DEVICE_UNAUTHORIZED'],
    ['LINK_TIMEOUT', 'DEVICE_SHELL_UNAVAILABLE'],
  ])('a link that fails with %s is %s', async (link, code) => {
    for (const operatorPackage of ['com.svc.operator', 'svc.shell']) {
      const host = setup()
      host.device.openLink = () => Promise.reject(host.device.error(link))
      const run = host.start('e1', step, { operatorPackage })
      await settled()
      expect(errorOf(run)).toMatchObject({ code, details: { executionId: 'e1', dispatched: false } })
      expect(errorOf(run)?.message).toContain('nothing was executed')
      expect(host.segments()).toEqual([])
      expect(receiptOf(host)).not.toHaveProperty('dispatchedAt')
    }
  })

  test('a reader that cannot be opened dispatches nothing, then or later', async () => {
    const host = setup()
    host.device.onStream = () => {
      throw host.device.error('DEVICE_SHELL_UNAVAILABLE')
    }
    const run = host.start('e1', step)
    await settled()
    expect(errorOf(run)).toMatchObject({ code: 'DEVICE_SHELL_UNAVAILABLE', details: { dispatched: false } })
    await host.later(60_000)
    expect(host.device.requests).toEqual([])
    expect(host.deeds()).toEqual([])
  })

  test.each(['a\0b', 'x'.repeat(300), ' '])(
    'a name that no app can have (%j) is not installed, and nobody is asked',
    async name => {
      const host = setup()
      const run = host.start('e1', step, { operatorPackage: name })
      await settled()
      expect(errorOf(run)).toMatchObject({ code: 'OPERATOR_NOT_INSTALLED', details: { dispatched: false } })
      expect(host.device.calls()).toEqual([])
    },
  )

  test('a link that never opens is given up by the machine, and what it brings later is not used', async () => {
    const host = setup()
    let open: () => void = () => {}
    const openLink = host.device.openLink
    host.device.openLink = async (serial, options) => {
      await new Promise<void>(resolve => {
        open = resolve
      })
      return openLink(serial, options)
    }
    const run = host.start('e1', step)
    await host.later(15_000)
    expect(errorOf(run)).toMatchObject({ code: 'DEVICE_LINK_LOST', details: { dispatched: false } })
    open()
    await host.later(1_000)
    expect(host.device.requests).toEqual([])
    expect(host.deeds()).toEqual([])
  })
})

describe('a broadcast that nobody took', () => {
  test('is OPERATOR_NOT_INSTALLED, with a way out', async () => {
    const host = setup()
    host.device.operator = 'none' as 'broadcast'
    const run = host.start('e1', step)
    await settled()
    expect(errorOf(run)).toMatchObject({
      code: 'OPERATOR_NOT_INSTALLED',
      retriable: false,
      hint: expect.stringContaining('svc.shell'),
      details: { executionId: 'e1', dispatched: false },
    })
  })

  test('is BROADCAST_FAILED when am fails in any other way', async () => {
    const host = setup()
    host.device.onShell = command =>
      command.startsWith('am b') ? { exitCode: 1, stdout: '', stderr: 'no' } : undefined
    const run = host.start('e1', step)
    await settled()
    expect(errorOf(run)).toMatchObject({ code: 'BROADCAST_FAILED', retriable: true, details: { dispatched: false } })
  })

  test('is BROADCAST_FAILED when the debug bridge cannot carry the command', async () => {
    const host = setup()
    host.device.onShell = command => {
      if (command.startsWith('am b')) throw host.device.error('LINK_COMMAND_TOO_LONG')
      return undefined
    }
    const run = host.start('e1', step)
    await settled()
    expect(errorOf(run)).toMatchObject({ code: 'BROADCAST_FAILED', details: { dispatched: false } })
  })

  test('after an earlier segment says that something was dispatched, and what was done', async () => {
    const host = setup()
    const run = host.start('e1', [closeStep('x'), sleepStep('a')], { operatorPackage: 'com.absent' })
    await settled()
    expect(errorOf(run)).toMatchObject({
      code: 'OPERATOR_NOT_INSTALLED',
      retriable: false,
      message: expect.stringContaining('earlier steps were executed'),
      details: { executionId: 'e1', dispatched: true, completedSteps: ['x'] },
    })
  })

  test('after an earlier segment may not be tried again, even where the code alone would allow it', async () => {
    const host = setup()
    host.device.onShell = command =>
      command.startsWith('am b') ? { exitCode: 1, stdout: '', stderr: 'no' } : undefined
    const run = host.start('e1', [closeStep('x'), sleepStep('a')])
    await settled()
    expect(errorOf(run)).toMatchObject({ code: 'BROADCAST_FAILED', retriable: false, details: { dispatched: true } })
  })

  test('does not count when the result is there', async () => {
    const host = setup()
    host.device.onShell = command => {
      if (!command.startsWith('am b')) return undefined
      const payload = JSON.parse(/'(\{.*\})'/.exec(command)?.[1] ?? '{}')
      host.device.log(resultLine(envelopeFor(payload)))
      return settled().then(() => ({ exitCode: 1, stdout: '', stderr: 'no' }))
    }
    const run = host.start('e1', step)
    await settled()
    await settled()
    expect(run.outcome?.result.ok).toBe(true)
  })
})

describe.each(ways)('an operator over %s', way => {
  test('that never answers is RESULT_ENVELOPE_TIMEOUT', async () => {
    const host = setup(way)
    host.device.behave = () => host.device.log('SvcOperator says hello')
    const dispatchedAt = host.clock.now()
    const run = host.start('e1', step)
    await host.later(TIMEOUT_MS + GRACE_MS - 1)
    expect(run.outcome).toBeUndefined()
    await host.later(1)
    expect(run.outcome?.dispatched).toBe(true)
    expect(errorOf(run)).toEqual({
      code: 'RESULT_ENVELOPE_TIMEOUT',
      message: expect.any(String),
      retriable: false,
      details: {
        executionId: 'e1',
        commandId: 'caller-command',
        dispatchedAt,
        elapsedMs: TIMEOUT_MS + GRACE_MS,
        lastLogLines: ['SvcOperator says hello'],
      },
    })
    expect(receiptOf(host)).toMatchObject({ state: 'settled', dispatchedAt })
  })

  test('that answers too late has answered nobody, and nothing follows', async () => {
    const host = setup(way)
    host.device.behave = () => {}
    const run = host.start('e1', [...step, closeStep('x')])
    await toDeadline(host)
    const [request] = host.device.requests
    if (request) host.device.answer(request)
    await host.later(30_000)
    expect(errorOf(run)?.code).toBe('RESULT_ENVELOPE_TIMEOUT')
    expect(host.deeds()).not.toContain('am force-stop')
    expect(host.events().filter(({ type }) => type === 'execution.settled')).toHaveLength(1)
    expect(host.host.inFlight()).toEqual([])
  })

  test('that answers for others only is as good as silent', async () => {
    const host = setup(way)
    host.device.behave = request => {
      host.device.answer({ ...request, nonce: 'f'.repeat(32) })
      host.device.answer({ ...request, commandId: 'e0.0' })
      host.device.log(resultLine(envelopeFor({ ...request, nonce: 'e'.repeat(32) })), '[Svc-Result] {"commandId":')
    }
    const run = host.start('e1', step)
    await toDeadline(host)
    expect(errorOf(run)?.code).toBe('RESULT_ENVELOPE_TIMEOUT')
  })

  test('that cannot understand the request has answered', async () => {
    const host = setup(way)
    host.device.behave = request =>
      host.device.answer(request, {
        status: 'failed',
        stepResults: [],
        error: 'unknown action',
        errorCode: 'EXECUTION_VALIDATION_FAILED',
      })
    const run = host.start('e1', step)
    await settled()
    expect(run.outcome?.result).toMatchObject({
      ok: true,
      envelope: {
        status: 'failed',
        errorCode: 'EXECUTION_VALIDATION_FAILED',
        error: { code: 'EXECUTION_VALIDATION_FAILED', message: 'unknown action' },
      },
    })
  })

  test('that is cancelled is waited for, sends nothing further, and keeps the device until it answers', async () => {
    const host = setup(way)
    host.device.behave = () => {}
    const run = host.start('e1', [...step, closeStep('x'), sleepStep('b')])
    await settled()
    host.cancel('e1')
    await settled()
    expect(errorOf(run)).toMatchObject({ code: 'EXECUTION_CANCELLED', details: { dispatched: true } })
    expect(host.state()).toEqual({ running: 'draining' })
    const [request] = host.device.requests
    if (request) host.device.answer(request)
    await settled()
    expect(host.state()).toBe('idle')
    expect(host.segments()).toEqual([0])
    expect(host.deeds()).not.toContain('am force-stop')
  })

  test('that is cancelled and never answers frees the device when its time is over', async () => {
    const host = setup(way)
    host.device.behave = () => {}
    host.start('e1', step)
    await settled()
    host.cancel('e1')
    await host.later(TIMEOUT_MS - 1)
    expect(host.state()).toEqual({ running: 'draining' })
    await host.later(1)
    expect(host.state()).toBe('idle')
  })
})

describe('a result in the log', () => {
  const chunksIn = (host: OperatorHost, change: (lines: string[]) => string[]) => {
    host.device.behave = request => {
      const envelope = envelopeFor(request, { stepResults: [okStep('a', { text: 'x'.repeat(9_000) })] })
      host.device.log(
        ...change(
          chunksOf({ wireId: request.commandId, nonce: request.nonce }, JSON.stringify(envelope)).map(chunkLine),
        ),
      )
    }
  }

  test('with a lost chunk is RESULT_ENVELOPE_MALFORMED, naming it, long before the deadline', async () => {
    const host = setup()
    chunksIn(host, lines => lines.filter((_, index) => index !== 1))
    const run = host.start('e1', step)
    await settled()
    expect(errorOf(run)).toMatchObject({
      code: 'RESULT_ENVELOPE_MALFORMED',
      retriable: false,
      details: { executionId: 'e1', commandId: 'caller-command', dispatched: true, missingIndexes: [1] },
    })
  })

  test('whose last chunk is lost is RESULT_ENVELOPE_MALFORMED at the deadline', async () => {
    const host = setup()
    chunksIn(host, lines => lines.slice(0, -1))
    const run = host.start('e1', step)
    await host.later(TIMEOUT_MS)
    expect(run.outcome).toBeUndefined()
    await host.later(GRACE_MS)
    expect(errorOf(run)).toMatchObject({ code: 'RESULT_ENVELOPE_MALFORMED', details: { missingIndexes: [3] } })
  })

  test.each<[string, (lines: string[]) => string[]]>([
    ['with another digest', lines => lines.map(line => line.replace(/"sha256":"../, '"sha256":"00'))],
    ['of another length', lines => lines.map(line => line.replace(/"byteLength":9/, '"byteLength":8'))],
    ['that was cut short', lines => [`[Svc-Result] ${(lines[0] ?? '').slice(20, 200)}`]],
  ])('%s is RESULT_ENVELOPE_MALFORMED', async (_, change) => {
    const host = setup()
    chunksIn(host, change)
    const run = host.start('e1', step)
    await settled()
    await host.later(1_500)
    expect(errorOf(run)).toMatchObject({ code: 'RESULT_ENVELOPE_MALFORMED', details: { missingIndexes: [] } })
  })

  test('with repeated chunks is whole', async () => {
    const host = setup()
    chunksIn(host, lines => lines.flatMap(line => [line, line]).reverse())
    const run = host.start('e1', step)
    await settled()
    expect(run.outcome?.result.ok).toBe(true)
  })

  test('that the reader never showed is found by the last look', async () => {
    const host = setup()
    host.device.behave = () => host.device.log('reading')
    const run = host.start('e1', step)
    await settled()
    host.device.readersLive = false
    const [request] = host.device.requests
    if (request) host.device.answer(request)
    await toDeadline(host)
    expect(run.outcome?.result.ok).toBe(true)
  })

  test('of the first segment that is found by the last look does not start the second', async () => {
    const host = setup()
    host.device.behave = () => host.device.log('reading')
    const run = host.start('e1', [...step, closeStep('x')])
    await settled()
    host.device.readersLive = false
    const [request] = host.device.requests
    if (request) host.device.answer(request)
    await toDeadline(host)
    expect(errorOf(run)).toMatchObject({ code: 'RESULT_ENVELOPE_TIMEOUT', details: { completedSteps: ['a'] } })
    expect(host.deeds()).not.toContain('am force-stop')
  })
})

describe('am', () => {
  test('that hangs does not hold back the result', async () => {
    const host = setup()
    host.device.onShell = command => {
      if (!command.startsWith('am b')) return undefined
      const payload = JSON.parse(/'(\{.*\})'/.exec(command)?.[1] ?? '{}')
      host.device.answer(payload)
      return new Promise(() => {})
    }
    const run = host.start('e1', step)
    await settled()
    expect(run.outcome?.result.ok).toBe(true)
    await host.later(120_000)
    expect(host.clock.pending()).toBeLessThan(2)
  })

  test('that breaks off leaves doubt, not a second request', async () => {
    const host = setup()
    host.device.onShell = command => {
      if (command.startsWith('am b')) throw host.device.error('DEVICE_LINK_LOST')
      return undefined
    }
    const run = host.start('e1', step)
    await toDeadline(host)
    expect(errorOf(run)?.code).toBe('RESULT_ENVELOPE_TIMEOUT')
    expect(host.deeds()).toEqual(['am broadcast'])
  })
})

describe('a link that is lost after the dispatch', () => {
  test('and comes back loses nothing over broadcast: the log is read back', async () => {
    const host = setup()
    host.device.behave = request => {
      host.device.links[0]?.lose()
      host.device.log(resultLine(envelopeFor(request)), 'and more')
    }
    const run = host.start('e1', step)
    await settled()
    expect(run.outcome?.result.ok).toBe(true)
    expect(host.device.requests).toHaveLength(1)
    expect(host.device.links).toHaveLength(2)
  })

  test.each(ways)('and stays away is DEVICE_LINK_LOST, long before the deadline (%s)', async way => {
    const host = setup(way)
    host.device.behave = () => {
      host.device.reachable = false
      host.device.links[0]?.lose()
    }
    const run = host.start('e1', step)
    for (let second = 0; second < 14; second++) await host.later(1_000)
    expect(errorOf(run)).toMatchObject({
      code: 'DEVICE_LINK_LOST',
      retriable: false,
      details: { executionId: 'e1', dispatched: true },
    })
  })

  test('just before the deadline is DEVICE_LINK_LOST at the deadline', async () => {
    const host = setup()
    host.device.behave = () => {}
    const run = host.start('e1', step)
    await host.later(TIMEOUT_MS)
    host.device.reachable = false
    host.device.links[0]?.lose()
    await host.later(GRACE_MS)
    expect(errorOf(run)).toMatchObject({ code: 'DEVICE_LINK_LOST', details: { dispatched: true } })
  })

  test('over a socket loses nothing either when the operator writes its result to the log', async () => {
    const host = setup('socket')
    host.device.behave = () => host.device.links[0]?.lose()
    const run = host.start('e1', [...step, closeStep('x'), sleepStep('b')])
    await host.later(8_000)
    const [request] = host.device.requests
    host.device.behave = other => host.device.answer(other)
    if (request) host.device.log(resultLine(envelopeFor(request)))
    await settled()
    expect(run.outcome?.result).toMatchObject({
      ok: true,
      envelope: { stepResults: [{ id: 'a' }, { id: 'x' }, { id: 'b' }] },
    })
    expect(host.device.requests).toHaveLength(2)
    expect(host.device.sockets()).toHaveLength(2)
  })

  test('over a socket is no loss when the result was in the log before that was known', async () => {
    const host = setup('socket')
    host.device.behave = request => {
      host.device.log(resultLine(envelopeFor(request)), 'and more')
      host.device.sockets().at(-1)?.end()
    }
    const run = host.start('e1', step)
    await settled()
    expect(run.outcome?.result.ok).toBe(true)
  })

  test('over a socket with no result in the log either is DEVICE_LINK_LOST, and nothing is sent again', async () => {
    const host = setup('socket')
    host.device.behave = () => host.device.links[0]?.lose()
    const run = host.start('e1', step)
    await toDeadline(host)
    expect(errorOf(run)).toMatchObject({ code: 'DEVICE_LINK_LOST', details: { executionId: 'e1', dispatched: true } })
    expect(host.device.requests).toHaveLength(1)
    expect(host.deeds()).toEqual([])
  })

  test('between two segments says that something was dispatched', async () => {
    const host = setup()
    host.device.onShell = command => {
      if (!command.startsWith('am force')) return undefined
      host.device.reachable = false
      host.device.links[0]?.lose()
      return undefined
    }
    const run = host.start('e1', [...step, closeStep('x'), sleepStep('b')])
    await settled()
    expect(errorOf(run)).toMatchObject({
      code: 'DEVICE_LINK_LOST',
      details: { dispatched: true, completedSteps: ['a'] },
    })
    expect(host.device.requests).toHaveLength(1)
  })
})

describe('a socket that ends inside the result', () => {
  test('is RESULT_ENVELOPE_MALFORMED', async () => {
    const host = setup('socket')
    host.device.behave = () => {
      host.device
        .sockets()
        .at(-1)
        ?.push(Buffer.from([0, 0, 1, 0, 0x7b]))
      host.device.sockets().at(-1)?.end()
    }
    const run = host.start('e1', step)
    await settled()
    expect(errorOf(run)).toMatchObject({ code: 'RESULT_ENVELOPE_MALFORMED', details: { dispatched: true } })
  })
})

describe('a payload that is still being pushed', () => {
  const pushing = () => {
    const host = setup()
    const pushed: Array<() => void> = []
    host.device.onPush = () => new Promise(resolve => pushed.push(resolve))
    const run = host.start('e1', step, { taskId: 'y'.repeat(62_000) })
    return { host, run, pushed }
  }

  test('when the execution is cancelled is followed by no request', async () => {
    const { host, run, pushed } = pushing()
    await settled()
    host.cancel('e1')
    await settled()
    for (const finish of pushed) finish()
    await host.later(60_000)
    expect(errorOf(run)?.code).toBe('EXECUTION_CANCELLED')
    expect(host.device.requests).toEqual([])
    expect(host.host.inFlight()).toEqual([])
  })

  test('when the deadline passes is followed by no request', async () => {
    const { host, run, pushed } = pushing()
    await toDeadline(host)
    expect(errorOf(run)?.code).toBe('RESULT_ENVELOPE_TIMEOUT')
    for (const finish of pushed) finish()
    await host.later(1_000)
    expect(host.device.requests).toEqual([])
  })
})

describe('a host step that does not end', () => {
  const hanging = () => {
    const host = setup()
    host.device.onShell = command => (command.startsWith('am force') ? new Promise(() => {}) : undefined)
    return host
  }

  test('is given up by the deadline at the latest', async () => {
    const host = hanging()
    const run = host.start('e1', [closeStep('x'), ...step], { timeoutMs: 4_000 })
    await host.later(4_000)
    await host.later(GRACE_MS)
    expect(errorOf(run)).toMatchObject({ code: 'RESULT_ENVELOPE_TIMEOUT', details: { executionId: 'e1' } })
    expect(host.device.requests).toEqual([])
  })

  test('ends with a cancellation, and frees the device', async () => {
    const host = hanging()
    const run = host.start('e1', [closeStep('x'), ...step])
    await settled()
    host.cancel('e1')
    await settled()
    expect(errorOf(run)?.code).toBe('EXECUTION_CANCELLED')
    expect(host.state()).toBe('idle')
    expect(host.device.requests).toEqual([])
  })
})

test('an execution that is cancelled before its dispatch is never dispatched', async () => {
  const host = setup()
  const openLink = host.device.openLink
  let open: () => void = () => {}
  host.device.openLink = async (serial, options) => {
    await new Promise<void>(resolve => {
      open = resolve
    })
    return openLink(serial, options)
  }
  const run = host.start('e1', step)
  await settled()
  host.cancel('e1')
  open()
  await host.later(10_000)
  expect(errorOf(run)).toMatchObject({ code: 'EXECUTION_CANCELLED', details: { dispatched: false } })
  expect(host.segments()).toEqual([])
  expect(host.device.requests).toEqual([])
})
