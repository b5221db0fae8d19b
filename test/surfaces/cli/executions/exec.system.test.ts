/** `svc exec` with its payload from everywhere, and where screenshots go. */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DeviceCommandOutput } from '../../../../src/contracts/executions/execution-result.ts'
import { runCliHere } from '../../../support/cli/cli-here.ts'
import { CLI, type CliEnded, type CliOptions } from '../../../support/cli/run-cli.ts'
import { type Lab, payloadOf, startLab } from '../../../support/executions/lab.ts'

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47])

let lab: Lab
let cwd: string

beforeAll(async () => {
  lab = await startLab()
  cwd = join(lab.home, 'work')
  mkdirSync(cwd)
})
afterAll(() => lab.close())

const svc = (args: readonly string[], options: CliOptions = {}): Promise<CliEnded> =>
  runCliHere(args, { cwd, env: { HOME: lab.home, SVC_TCP_DEVICES: lab.fleet.devices[0]?.serial }, ...options })

const payload = (commandId: string) =>
  JSON.stringify(payloadOf([{ id: 'a', type: 'sleep', params: { duration_ms: 0 } }], { commandId }))

const pathOf = (ended: CliEnded) => ended.json<DeviceCommandOutput>().envelope.stepResults[0]?.data.path ?? ''

describe('exec', () => {
  const ways: [string, (text: string) => [string[], CliOptions]][] = [
    ['inline', text => [['exec', text], {}]],
    ['from stdin', text => [['exec', '-'], { input: text }]],
    [
      'from a file beside the caller',
      text => {
        writeFileSync(join(cwd, 'payload.json'), text)
        return [['exec', 'payload.json'], {}]
      },
    ],
    [
      'by --payload and an absolute path',
      text => {
        writeFileSync(join(lab.home, 'p.json'), text)
        return [['exec', '--payload', join(lab.home, 'p.json')], {}]
      },
    ],
  ]
  test.each(ways)('%s', async (way, call) => {
    const ended = await svc(...call(payload(way)))
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.json()).toMatchObject({ envelope: { commandId: way, taskId: 't1', status: 'success' } })
  })

  test('keeps text that is not ASCII', async () => {
    const ended = await svc(['exec', '-', '--dry-run'], { input: payload('ä') })
    expect(ended.json()).toMatchObject({ plan: { commandId: 'ä', actions: [{ params: { durationMs: 0 } }] } })
  })

  test('touches no device, no journal and no home with --validate-only or --dry-run', async () => {
    const env = { HOME: '/nowhere', SVC_TCP_DEVICES: '127.0.0.1:1', ADB_SERVER_SOCKET: 'tcp:127.0.0.1:1' }
    for (const flag of ['--validate-only', '--dry-run']) {
      const ended = await svc(['exec', payload('c'), flag], { env })
      expect(ended).toMatchObject({ code: 0, stderr: '' })
      expect(ended.json()).toMatchObject({ ok: true })
    }
  })
})

test('in a directory that is gone, only what needs none of it goes on', async () => {
  const script = 'cd "$1" && rmdir "$1" && shift && exec "$@"'
  const inGone = async (...args: string[]) => {
    const gone = join(lab.home, 'gone')
    mkdirSync(gone)
    const env = { HOME: lab.home }
    const all = ['-c', script, 'sh', gone, process.execPath, CLI, ...args]
    const { stdout } = await promisify(execFile)('/bin/sh', all, { env }).catch((failed: { stdout: string }) => failed)
    return JSON.parse(stdout)
  }
  expect(await inGone('exec', payload('c'), '--validate-only')).toMatchObject({ ok: true })
  expect(await inGone('devices')).toMatchObject({ code: 'USAGE', message: expect.stringContaining('directory') })
})

describe('screenshot', () => {
  test('writes to a relative path of the caller', async () => {
    const ended = await svc(['screenshot', 'shot.png'])
    expect(ended.code).toBe(0)
    expect(pathOf(ended)).toBe(join(cwd, 'shot.png'))
    expect(readFileSync(join(cwd, 'shot.png')).subarray(0, 4)).toEqual(PNG)
  })

  test('writes to an absolute path, over an older picture', async () => {
    const path = join(cwd, 'shot.png')
    const ended = await svc(['screenshot', '--path', path])
    expect(ended.code).toBe(0)
    expect(pathOf(ended)).toBe(path)
  })

  test('makes a new file under the home without a path', async () => {
    const ended = await svc(['screenshot'])
    expect(ended.code).toBe(0)
    expect(pathOf(ended)).toMatch(new RegExp(`^${join(lab.home, '.svc', 'screenshots')}/.+\\.png$`))
    expect(readFileSync(pathOf(ended)).subarray(0, 4)).toEqual(PNG)
  })

  test('overwrites nothing that is not an image', async () => {
    writeFileSync(join(cwd, 'notes.txt'), 'mine')
    const ended = await svc(['screenshot', 'notes.txt'])
    expect(ended.code).toBe(1)
    expect(ended.json()).toMatchObject({ code: 'EXECUTION_VALIDATION_FAILED' })
    expect(readFileSync(join(cwd, 'notes.txt'), 'utf8')).toBe('mine')
  })

  test('makes no directories', async () => {
    const ended = await svc(['screenshot', 'missing/shot.png'])
    expect(ended.json()).toMatchObject({ code: 'EXECUTION_VALIDATION_FAILED' })
  })
})
