/** What the host does itself: host steps of any execution, and every step of the built-in operator. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Action } from '../../../../src/contracts/executions/action.ts'
import { LinkError } from '../../../../src/device/link/link.ts'
import { shellOk } from '../../../support/device/fake-link.ts'
import { operatorHost } from '../../../support/device/operator-host.ts'
import { closeStep, sleepStep } from '../../../support/device/operator-samples.ts'
import { settled } from '../../../support/settled.ts'
import { temporary } from '../../../support/temporary.ts'
import { until } from '../../../support/until.ts'

const folder = temporary('svc-by-link-')
const shoot = (id: string, path?: string): Action => ({
  id,
  type: 'take_screenshot',
  params: path === undefined ? {} : { path },
})
const openUri = (id: string): Action => ({ id, type: 'open_uri', params: { uri: 'https://example.com' } })
const press = (id: string, key: 'home' | 'back'): Action => ({ id, type: 'press_key', params: { key } })
let made = 0
/** A directory of its own for one test. */
const directory = () => {
  const path = join(folder(), String(made++))
  mkdirSync(path)
  return path
}

describe('a screenshot', () => {
  test('without a path is a new file in its own folder, which is made for it', async () => {
    const host = operatorHost()
    const newFilesIn = join(directory(), 'not', 'there')
    const run = host.start('e1', [sleepStep('a'), shoot('s')], { screenshots: { relativeTo: '/', newFilesIn } })
    await until(() => run.outcome !== undefined, 'the answer')
    const path = join(newFilesIn, 'e1.1.png')
    expect(run.outcome?.result).toMatchObject({
      ok: true,
      envelope: { stepResults: [{ id: 'a' }, { id: 's', data: { path } }] },
    })
    expect(readFileSync(path)).toEqual(host.device.screenshot)
    expect(statSync(newFilesIn).mode & 0o777).toBe(0o700)
    expect(host.device.requests.map(({ actions }) => actions.map(({ id }) => id))).toEqual([['a']])
  })

  test('with a relative path goes where its caller stands, with an absolute one there', async () => {
    const [here, there] = [directory(), directory()]
    const host = operatorHost()
    const screenshots = { relativeTo: here, newFilesIn: join(here, 'new') }
    const run = host.start('e1', [shoot('s', 'one.png'), shoot('t', join(there, 'two.png'))], { screenshots })
    await until(() => run.outcome !== undefined, 'the answer')
    expect(run.outcome?.result).toMatchObject({
      envelope: {
        stepResults: [{ data: { path: join(here, 'one.png') } }, { data: { path: join(there, 'two.png') } }],
      },
    })
    expect(readdirSync(here)).toEqual(['one.png'])
    expect(readdirSync(there)).toEqual(['two.png'])
  })

  test('whose folder cannot be made is a failed step', async () => {
    const here = directory()
    writeFileSync(join(here, 'file'), 'x')
    const host = operatorHost()
    const screenshots = { relativeTo: here, newFilesIn: join(here, 'file', 'new') }
    const run = host.start('e1', [shoot('s'), sleepStep('a')], { screenshots })
    await until(() => run.outcome !== undefined, 'the answer')
    expect(run.outcome?.result).toMatchObject({
      ok: true,
      envelope: { status: 'failed', errorCode: 'EVIDENCE_CAPTURE_FAILED', stepResults: [{ id: 's', success: false }] },
    })
    expect(host.device.requests).toEqual([])
  })
})

describe('the built-in operator', () => {
  const operatorPackage = 'svc.shell'
  const setup = () => {
    const host = operatorHost()
    host.device.operator = 'none' as 'broadcast'
    host.device.onShell = command => (command.startsWith('input ') ? shellOk() : undefined)
    return host
  }

  test('performs every step in its place, with no app and no log', async () => {
    const host = setup()
    const run = host.start('e1', [press('a', 'home'), closeStep('x'), press('b', 'back'), press('c', 'home')], {
      operatorPackage,
    })
    await settled()
    expect(run.outcome?.result).toMatchObject({
      ok: true,
      deviceId: 'd1',
      envelope: {
        commandId: 'caller-command',
        status: 'success',
        stepResults: ['a', 'x', 'b', 'c'].map(id => ({ id, success: true })),
        error: null,
      },
    })
    expect(host.device.calls()).toEqual([
      'shell input keyevent KEYCODE_HOME',
      'shell am force-stop com.example',
      'shell input keyevent KEYCODE_BACK',
      'shell input keyevent KEYCODE_HOME',
    ])
    expect(host.segments()).toEqual([0, 1, 2])
  })

  test('ends the list at a step that fails', async () => {
    const host = setup()
    host.device.onShell = () => ({ exitCode: 1, stdout: '', stderr: 'Error: no' })
    const run = host.start('e1', [press('a', 'home'), closeStep('x')], { operatorPackage })
    await settled()
    expect(run.outcome?.result).toMatchObject({
      ok: true,
      envelope: { status: 'failed', errorCode: 'GLOBAL_ACTION_FAILED', stepResults: [{ id: 'a', success: false }] },
    })
    expect(host.segments()).toEqual([0])
  })

  test('stops in the middle of a segment when it is cancelled, and frees the device', async () => {
    const host = setup()
    host.start('e1', [press('a', 'home'), sleepStep('s', 20_000), press('b', 'back')], { operatorPackage })
    await host.later(10_000)
    host.cancel('e1')
    await settled()
    expect(host.state()).toBe('idle')
    expect(host.events().map(({ type }) => type)).not.toContain('port.failed')
    await host.later(20_000)
    expect(host.device.calls()).toEqual(['shell input keyevent KEYCODE_HOME'])
  })

  test('whose device is gone in the middle leaves doubt', async () => {
    const host = setup()
    host.device.onShell = () => {
      host.device.links[0]?.lose()
      return shellOk()
    }
    const run = host.start('e1', [press('a', 'home'), press('b', 'back')], { operatorPackage })
    await settled()
    expect(run.outcome?.result).toMatchObject({
      ok: false,
      error: { code: 'DEVICE_LINK_LOST', details: { executionId: 'e1', dispatched: true } },
    })
    expect(host.device.links).toHaveLength(1)
  })

  test('whose device answers without end: a failure of its own, with the doubt', async () => {
    const host = setup()
    host.device.onShell = () => Promise.reject(new LinkError('DEVICE_OUTPUT_TOO_LARGE', 'the command printed more'))
    const run = host.start('e1', [openUri('a')], { operatorPackage })
    await settled()
    expect(run.outcome).toMatchObject({
      dispatched: true,
      result: {
        ok: false,
        error: { code: 'DEVICE_OUTPUT_TOO_LARGE', retriable: false, details: { dispatched: true } },
      },
    })
  })

  test('whose device sends a screen without end: SNAPSHOT_HIERARCHY_UNAVAILABLE, with the reason', async () => {
    const host = setup()
    host.device.onShell = () => Promise.reject(new LinkError('DEVICE_OUTPUT_TOO_LARGE', 'the command printed more'))
    const run = host.start('e1', [{ id: 's', type: 'snapshot' }], { operatorPackage })
    await settled()
    expect(run.outcome?.result).toMatchObject({
      envelope: { errorCode: 'SNAPSHOT_HIERARCHY_UNAVAILABLE', error: { message: expect.stringContaining('printed') } },
    })
  })

  test('whose device hangs beyond the time of the execution is RESULT_ENVELOPE_TIMEOUT', async () => {
    const host = setup()
    host.device.onShell = () => new Promise(() => {})
    const run = host.start('e1', [press('a', 'home')], { operatorPackage, timeoutMs: 5_000 })
    await host.later(5_000)
    expect(run.outcome?.result).toMatchObject({
      ok: false,
      error: { code: 'RESULT_ENVELOPE_TIMEOUT', details: { executionId: 'e1', elapsedMs: 5_000 } },
    })
  })
})
