/** The files of a device: the same answer over HTTP, on the command line and over MCP, and who may name files of the host. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileRootsOf, withAbsolutePaths } from '../../src/service/host-paths.ts'
import { runCliHere } from '../support/cli/cli-here.ts'
import { call } from '../support/http/http-client.ts'
import { type HttpLab, startHttpLab } from '../support/http/http-server.ts'
import { connectHttp, type McpCaller } from '../support/mcp-client.ts'

describe('one host', () => {
  let lab: HttpLab
  let mcp: McpCaller
  let folder = ''
  const env = () => ({ HOME: lab.lab.home, SVC_TCP_DEVICES: lab.serials.join(','), PATH: '' })
  const cli = (...args: string[]) => runCliHere(['files', ...args, '--no-daemon'], { env: env() })
  const get = (path: string) =>
    call(`${lab.url}/devices/${encodeURIComponent(lab.serials[0] ?? '')}/files?path=${encodeURIComponent(path)}`)
  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-files-')))
    lab = await startHttpLab()
    mcp = await connectHttp(lab.url, 'modern')
  })
  afterAll(async () => {
    await mcp.close()
    await lab.close()
    rmSync(folder, { recursive: true })
  })

  test('sends, lists alike through every door, fetches and removes', async () => {
    mkdirSync(join(folder, 'site'))
    writeFileSync(join(folder, 'site', 'a.html'), '<p>')
    const sent = await cli('push', join(folder, 'site'), '/sdcard/site')
    const data = { path: '/sdcard/site', bytes: '3', files: '1' }
    expect({ code: sent.code, json: sent.json() }).toMatchObject({
      code: 0,
      json: { envelope: { stepResults: [{ actionType: 'push_file', success: true, data }] } },
    })
    const { status, json } = await get('/sdcard/site')
    const { ok, ...listed } = json as { ok: true; files: unknown[]; count: number }
    expect({ status, ok, listed }).toMatchObject({
      status: 200,
      ok: true,
      listed: { files: [{ name: 'a.html', kind: 'file', bytes: 3 }], count: 1 },
    })
    expect((await cli('list', '/sdcard/site')).json()).toEqual(listed)
    expect((await mcp.call('files', { action: 'list', path: '/sdcard/site' })).structured).toEqual(listed)
    await cli('pull', '/sdcard/site', join(folder, 'got'))
    expect(readFileSync(join(folder, 'got', 'a.html'), 'utf8')).toBe('<p>')
    expect((await cli('remove', '/sdcard/site', '--recursive')).code).toBe(0)
    const gone = await get('/sdcard/site')
    expect({ status: gone.status, json: gone.json }).toMatchObject({
      status: 404,
      json: { error: { code: 'FILE_NOT_FOUND' } },
    })
  })

  test('is shown to people', async () => {
    const shown = await cli('list', '/sdcard', '--output', 'text')
    expect(shown.stdout).toMatch(/^DCIM +folder /m)
    expect(shown.stdout).toContain('entries')
  })

  test('MCP writes and reads content in the call, as text and as bytes, and no folder', async () => {
    const path = '/sdcard/note.txt'
    await mcp.call('files', { action: 'write', path, content: 'grüße' })
    const text = await mcp.call('files', { action: 'read', path })
    expect(text.structured).toEqual({ path, bytes: 7, content: 'grüße' })
    const bytes = Buffer.from([0, 255, 1]).toString('base64')
    await mcp.call('files', { action: 'write', path, content: bytes, base64: true })
    expect((await mcp.call('files', { action: 'read', path })).structured).toEqual({
      path,
      bytes: 3,
      content: bytes,
      base64: true,
    })
    for (const args of [
      { action: 'write', path: '/sdcard', content: 'x' },
      { action: 'write', path },
      { action: 'write', path, content: '?', base64: true },
      { action: 'read', path: '/sdcard/DCIM' },
    ])
      expect((await mcp.call('files', args)).text, JSON.stringify(args)).toContain('"USAGE"')
    expect((await mcp.call('files', { action: 'read', path: '/sdcard/none' })).text).toContain('FILE_NOT_FOUND')
    await mcp.call('files', { action: 'remove', path })
    expect((await get(path)).status).toBe(404)
  })

  test('MCP may name no file of the host that was not opened to it, and loopback callers may', async () => {
    const from = join(folder, 'mine')
    writeFileSync(from, 'mine')
    const execution = {
      commandId: 'c',
      taskId: 't',
      source: 'test',
      expectedFormat: 'android-ui-automator',
      timeoutMs: 30_000,
      actions: [{ id: 'a', type: 'push_file', params: { from, to: '/sdcard/mine' } }],
    }
    const refused = await mcp.call('execute', { execution })
    expect(refused.text).toContain('FILE_REFUSED')
    expect(refused.text).toContain('"dispatched":false')
    const { status, json } = await call(`${lab.url}/execute`, { body: { execution, deviceId: lab.serials[0] } })
    expect({ status, json }).toMatchObject({ status: 200, json: { envelope: { status: 'success' } } })
  })
})

describe('who may name files of the host', () => {
  test('an agent none unless folders were opened, everybody else any unless it is said', () => {
    expect(fileRootsOf({ caller: 'mcp' })).toEqual([])
    expect(fileRootsOf({ caller: 'mcp', fileRoots: ['/a'] })).toEqual(['/a'])
    expect(fileRootsOf({ caller: 'http', fileRoots: [] })).toEqual([])
    expect(fileRootsOf({ caller: 'http' })).toBeUndefined()
    expect(fileRootsOf({ caller: 'cli' })).toBeUndefined()
  })

  test('relative paths begin in the folder of the caller, and a slash at their end stays', () => {
    const params = { from: '/sdcard/a', to: 'got/', overwrite: false }
    const execution = { actions: [{ id: 'a', type: 'pull_file', params }] } as never
    expect(withAbsolutePaths(execution, '/home/me').actions[0]?.params).toMatchObject({ to: '/home/me/got/' })
  })
})
