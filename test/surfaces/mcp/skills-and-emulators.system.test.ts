/** Skills over MCP by a real server with a registry, and emulators by what the driver says. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failure } from '../../../src/contracts/failures/failures.ts'
import type { Emulators } from '../../../src/service/emulators/emulators.ts'
import { CLI } from '../../support/cli/run-cli.ts'
import { type Lab, startLab } from '../../support/executions/lab.ts'
import { startFake } from '../../support/http/http-server.ts'
import { callerOf, connectHttp, type McpCaller, newClient } from '../../support/mcp-client.ts'

const registry = fileURLToPath(new URL('../../fixtures/skills/skills-registry.json', import.meta.url))
const OPEN_ROW = 'com.android.settings.open-row'

describe('skills', () => {
  let lab: Lab
  let home: string
  let caller: McpCaller
  beforeAll(async () => {
    lab = await startLab()
    home = mkdtempSync(join(tmpdir(), 'svc-mcp-'))
    const env = {
      HOME: home,
      PATH: '/usr/bin:/bin',
      SVC_TCP_DEVICES: lab.fleet.devices[0]?.serial ?? '',
      SVC_SKILLS_REGISTRY: registry,
      SVC_NO_DAEMON: '1',
    }
    const client = newClient('legacy')
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp'], env, stderr: 'ignore' }),
    )
    caller = callerOf(client)
  })
  afterAll(async () => {
    await caller.close()
    await lab.close()
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  })

  test('are found by words, and shown', async () => {
    const found = await caller.call('skills_search', { query: 'about phone' })
    expect(found.structured).toMatchObject({ skills: [{ id: OPEN_ROW, applicationId: 'com.android.settings' }] })
    expect(found.text).toContain(OPEN_ROW)
    const all = await caller.call('skills_search', { limit: 1 })
    expect(all.structured).toMatchObject({ skills: [expect.anything()], count: 3 })
    expect(all.text).toContain('2 more match')
    const shown = await caller.call('skills_get', { id: OPEN_ROW })
    expect(shown.structured).toMatchObject({ skill: { id: OPEN_ROW, scripts: expect.any(Array) } })
  })

  test('run, and say which executions they were', async () => {
    const heard: string[] = []
    const ran = await caller.call(
      'skills_run',
      { id: OPEN_ROW, args: ['Display'] },
      { onprogress: said => heard.push(said) },
    )
    expect(ran, ran.text).toMatchObject({
      isError: false,
      structured: { status: 'success', runId: expect.any(String) },
    })
    const { executionIds, runId } = ran.structured as { executionIds: string[]; runId: string }
    expect(executionIds.length).toBeGreaterThan(0)
    expect(heard.length).toBeGreaterThan(0)
    const receipts = await caller.call('receipts', { skillRunId: runId })
    expect(receipts.structured).toMatchObject({ count: executionIds.length })
  })

  test('that fail say why, and whether anything was sent', async () => {
    const failed = await caller.call('skills_run', { id: OPEN_ROW, args: ['No such row'], timeoutMs: 60_000 })
    expect(failed).toMatchObject({
      isError: true,
      structured: { code: 'SKILL_EXECUTION_FAILED', dispatched: true, details: { runId: expect.any(String) } },
    })
    const unknown = await caller.call('skills_run', { id: 'a.b' })
    expect(unknown).toMatchObject({ isError: true, structured: { code: 'SKILL_NOT_FOUND', dispatched: false } })
  })
})

describe('emulators', () => {
  const kind = { apiLevel: 35, abi: 'x86_64', playStore: true, deviceProfile: 'pixel_7', systemImage: null }
  const supported = { supported: true, unsupportedReasons: [] }
  const emulators = (more: Partial<Emulators>): Emulators =>
    ({
      list: async () => ({
        ok: true,
        value: { avds: [{ name: 'svc-12g', exists: true, running: true, ...kind, ...supported }] },
      }),
      running: async () => ({
        ok: true,
        value: {
          devices: [{ type: 'emulator', avdName: 'svc-12g', serial: 'emulator-5554', booted: true, ...supported }],
        },
      }),
      ...more,
    }) as Emulators

  const withEmulators = async (more: Partial<Emulators>, work: (caller: McpCaller) => Promise<void>) => {
    const served = await startFake({ emulators: () => emulators(more) })
    const caller = await connectHttp(served.url, 'modern')
    await work(caller)
    await caller.close()
    await served.server.close({ graceMs: 1_000 })
  }

  test('are listed with their serials', () =>
    withEmulators({}, async caller => {
      const listed = await caller.call('emulators')
      expect(listed.text).toBe('svc-12g: runs as emulator-5554')
      expect(listed.structured).toMatchObject({ avds: [{ name: 'svc-12g' }], running: [{ serial: 'emulator-5554' }] })
    }))

  test('are brought up, with what was asked', async () => {
    const asked: unknown[] = []
    const provision: Emulators['provision'] = async request => {
      asked.push(request)
      const value = { type: 'emulator', avdName: 'a', serial: 'emulator-5556', booted: true } as const
      return { ok: true, value: { ...value, created: false, started: true, reused: false } }
    }
    await withEmulators({ provision }, async caller => {
      const up = await caller.call('emulator_provision', { storageSize: '8G', window: false })
      expect(up).toMatchObject({ text: 'a is ready as emulator-5556', structured: { serial: 'emulator-5556' } })
      expect(asked).toEqual([{ storageSize: '8G', window: false }])
      const wrong = await caller.call('emulator_provision', { storageSize: '8 pounds' })
      expect(wrong).toMatchObject({ isError: true, structured: { code: 'USAGE' } })
      expect(asked).toHaveLength(1)
    })
  })

  test('that cannot be listed say why', () =>
    withEmulators(
      { list: async () => ({ ok: false, error: failure('ANDROID_SDK_TOOL_MISSING', 'emulator is missing.') }) },
      async caller => {
        const listed = await caller.call('emulators')
        expect(listed).toMatchObject({ isError: true, structured: { code: 'ANDROID_SDK_TOOL_MISSING' } })
      },
    ))
})
