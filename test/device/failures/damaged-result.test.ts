/** A result that arrives damaged or incomplete is named as such, and one that is whole after all is taken. */
import { describe, expect, test } from 'vitest'
import { envelopeFor } from '../../support/device/fake-device.ts'
import type { OperatorHost } from '../../support/device/operator-host.ts'
import { chunkLine, chunksOf, closeStep, okStep } from '../../support/device/operator-samples.ts'
import { errorOf, GRACE_MS, hostWith, step, TIMEOUT_MS, toDeadline } from '../../support/executions/failing-host.ts'
import { settled } from '../../support/settled.ts'

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
    const host = hostWith()
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
    const host = hostWith()
    chunksIn(host, lines => lines.slice(0, -1))
    const run = host.start('e1', step)
    await host.later(TIMEOUT_MS)
    expect(run.outcome).toBeUndefined()
    await host.later(GRACE_MS)
    expect(errorOf(run)).toMatchObject({ code: 'RESULT_ENVELOPE_MALFORMED', details: { missingIndexes: [3] } })
  })

  test.each<[string, (lines: string[]) => string[]]>([
    ['with another digest', lines => lines.map(line => line.replace(/"sha256":"\w+/, `"sha256":"${'0'.repeat(64)}`))],
    ['of another length', lines => lines.map(line => line.replace(/"byteLength":9/, '"byteLength":8'))],
    ['that was cut short', lines => [`[Svc-Result] ${(lines[0] ?? '').slice(20, 200)}`]],
  ])('%s is RESULT_ENVELOPE_MALFORMED', async (_, change) => {
    const host = hostWith()
    chunksIn(host, change)
    const run = host.start('e1', step)
    await settled()
    await host.later(1_500)
    expect(errorOf(run)).toMatchObject({ code: 'RESULT_ENVELOPE_MALFORMED', details: { missingIndexes: [] } })
  })

  test('with repeated chunks is whole', async () => {
    const host = hostWith()
    chunksIn(host, lines => lines.flatMap(line => [line, line]).reverse())
    const run = host.start('e1', step)
    await settled()
    expect(run.outcome?.result.ok).toBe(true)
  })

  test('that the reader never showed is found by the last look', async () => {
    const host = hostWith()
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
    const host = hostWith()
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

describe('a socket that ends inside the result', () => {
  test('is RESULT_ENVELOPE_MALFORMED', async () => {
    const host = hostWith('socket')
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
