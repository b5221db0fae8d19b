/** The official client drives a simulated phone over HTTP, in both eras: from open to verified, failures, progress, cancelling. */
import { existsSync, readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type HttpLab, startHttpLab } from '../../support/http/http-server.ts'
import { connectHttp, ERAS, type McpCaller } from '../../support/mcp-client.ts'
import { until } from '../../support/until.ts'

const refOf = (screen: string, label: string): string => {
  const line = screen.split('\n').find(each => each.includes(JSON.stringify(label)))
  return line?.split(' ')[0] ?? `no line has ${label}`
}

// Each has devices and a server of its own, so both go on at once.
describe.concurrent.each(ERAS)('a %s client', era => {
  let served: HttpLab
  let caller: McpCaller
  let device: string
  beforeAll(async () => {
    served = await startHttpLab({ count: 2 })
    caller = await connectHttp(served.url, era)
    device = served.serials[era === 'modern' ? 0 : 1] ?? ''
  })
  afterAll(async () => {
    await caller.close()
    await served.close()
  })

  test.sequential('goes from open to verified by compact screens and refs', async () => {
    const opened = await caller.call('open', { target: 'com.android.settings', observe: true, device })
    expect(opened).toMatchObject({ isError: false, structured: { deviceId: device, executionId: expect.any(String) } })
    expect(opened.text).toContain('com.android.settings')

    const looked = await caller.call('snapshot', { device })
    expect(looked.text).toMatch(/^screen \d+ com\.android\.settings\n@\d+\.1 /)
    expect(looked.structured).toEqual({
      deviceId: device,
      executionId: expect.any(String),
      text: looked.text.slice(0, looked.text.lastIndexOf('\n')),
    })

    const clicked = await caller.call('click', { ref: refOf(looked.text, 'Display'), observe: true, device })
    expect(clicked).toMatchObject({ isError: false })
    expect(clicked.structured.observed).toMatchObject({ text: expect.stringContaining('"Status"') })

    await caller.call('wait', { text: 'Status', device })
    const read = await caller.call('read', { id: 'android:id/summary', device })
    expect(read.structured).toMatchObject({ data: { text: 'Dark theme, font size, brightness' } })

    const again = await caller.call('click', { ref: refOf(looked.text, 'Apps'), device })
    expect(again).toMatchObject({ isError: true, structured: { code: 'REF_STALE', dispatched: false } })

    const since = await caller.call('snapshot', { since: clicked.structured.executionId, device })
    expect(since).toMatchObject({ isError: false })
    const full = await caller.call('snapshot', { format: 'full', device })
    expect(full.text).toContain('<hierarchy rotation')
  })

  test.sequential('scrolls, types and presses', async () => {
    await caller.call('open', { target: 'com.android.settings', device })
    expect((await caller.call('scroll_until', { text: 'About phone', device })).isError).toBe(false)
    const edge = await caller.call('scroll', { direction: 'down', device })
    expect(edge.structured).toMatchObject({ data: { scroll_outcome: expect.stringMatching(/moved|edge_reached/) } })
    expect((await caller.call('press', { key: 'home', device })).isError).toBe(false)
    await caller.call('open', { target: 'com.android.settings', device })
    await caller.call('scroll', { direction: 'up', device })
    await caller.call('scroll', { direction: 'up', device })
    await caller.call('scroll', { direction: 'up', device })
    const typed = await caller.call('type', { value: 'bat', id: 'com.android.settings:id/search', device })
    expect(typed).toMatchObject({ isError: false, structured: { data: { text: 'bat' } } })
    const more = await caller.call('type', { value: 's', append: true, device })
    expect(more).toMatchObject({ isError: false, structured: { data: { text: 's', text_length: '1' } } })
    expect((await caller.call('read', { id: 'com.android.settings:id/search', device })).text).toMatch(/^bats/)
    expect((await caller.call('press', { key: 'Volume Up', long: true, device })).isError).toBe(false)
    for (const gesture of ['hide_keyboard', 'quick_settings', 'close_shade'])
      expect((await caller.call('gesture', { gesture, device })).isError).toBe(false)
    const lone = await caller.call('gesture', { gesture: 'drag', text: 'Display', device })
    expect(lone.structured).toMatchObject({ code: 'USAGE', dispatched: false })
    const unanswered = await caller.call('dialog', { answer: 'accept', device })
    expect(unanswered.structured).toMatchObject({ code: 'DIALOG_NOT_FOUND' })
    expect((await caller.call('swipe', { x1: 500, y1: 900, x2: 500, y2: 1_200, device })).isError).toBe(false)
    expect((await caller.call('press', { key: 'back', device })).isError).toBe(false)
  })

  test.sequential('a screenshot is an image, and leaves no file', async () => {
    const shot = await caller.call('screenshot', { device })
    expect(shot.images).toHaveLength(1)
    expect(
      Buffer.from(shot.images[0]?.data ?? '', 'base64')
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
    expect(shot.text).toMatch(/^executionId \S+ on /)
    // Some clients drop an image that has structured content beside it.
    expect(shot.structured).toEqual({})
    const folder = served.deps.screenshots.newFilesIn
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
  })

  test.sequential('an execution of several actions answers each step, with its picture', async () => {
    const actions = [
      { id: 'open', type: 'open_app', params: { applicationId: 'com.android.settings' } },
      { id: 'look', type: 'snapshot' },
      { id: 'shot', type: 'take_screenshot' },
    ]
    const ran = await caller.call('execute', { execution: { actions }, device })
    expect(ran.structured).toMatchObject({
      deviceId: device,
      envelope: {
        status: 'success',
        stepResults: [{ id: 'open' }, { id: 'look', data: { format: 'compact' } }, { id: 'shot', data: {} }],
      },
    })
    expect(ran.images).toHaveLength(1)
    expect(JSON.stringify(ran.structured)).not.toContain(served.deps.screenshots.newFilesIn)
  })

  test.sequential('a step that fails says so, with its receipt', async () => {
    const closed = await caller.call('open', { target: 'com.example.nowhere', device })
    expect(closed.structured).toMatchObject({ code: 'APP_NOT_FOUND', hint: expect.stringContaining('installed') })
    const failed = await caller.call('click', { text: 'Wi-Fii', device })
    expect(failed).toMatchObject({
      isError: true,
      structured: {
        code: 'NODE_NOT_FOUND',
        message: expect.stringContaining('Wi-Fii'),
        hint: expect.stringContaining('Nearest to what was asked for: '),
        dispatched: true,
      },
    })
    const { executionId } = failed.structured
    const receipt = await caller.call('receipt', { executionId })
    expect(receipt.structured).toMatchObject({ receipt: { executionId, state: 'settled', dispatched: true } })
    expect(receipt.text).toContain('NODE_NOT_FOUND')
    expect((await caller.call('receipt', { executionId: 'last' })).structured).toEqual(receipt.structured)
    const none = await caller.call('receipt', { executionId: 'last~900' })
    expect(none).toMatchObject({ isError: true, structured: { code: 'EXECUTION_NOT_FOUND' } })
    const listed = await caller.call('receipts', { device, limit: 1 })
    expect(listed.structured).toMatchObject({ count: 1, receipts: [{ executionId, code: 'NODE_NOT_FOUND' }] })
    const resource = await caller.client.readResource({ uri: `svc://executions/${String(executionId)}` })
    expect(JSON.parse((resource.contents[0] as { text: string }).text)).toMatchObject({ executionId })
  })

  test.sequential('tells progress by the transitions of the execution', async () => {
    const heard: string[] = []
    await caller.call('wait', { text: 'Settings', timeoutMs: 400, device }, { onprogress: said => heard.push(said) })
    await until(() => heard.some(said => said.startsWith('execution.dispatched')), 'progress')
    expect(heard[0]).toMatch(/^execution\.requested|^actor\.created/)
  })

  test.sequential('cancelling a call cancels its execution, and the receipt says so', async () => {
    const cancel = new AbortController()
    const heard: string[] = []
    const call = caller.call(
      'wait',
      { text: 'Never there', timeoutMs: 4_000, device },
      { signal: cancel.signal, onprogress: said => heard.push(said) },
    )
    await until(() => heard.some(said => said.startsWith('execution.dispatched')), 'the execution to run')
    cancel.abort()
    await expect(call).rejects.toThrow()
    const latest = async () => (await caller.call('receipts', { device, limit: 1 })).structured
    await expect
      .poll(latest, { timeout: 20_000 })
      .toMatchObject({ receipts: [{ code: 'EXECUTION_CANCELLED', dispatched: true }] })
    // The operator app on the phone waits on; the device is busy until it is done.
    const press = async () => (await caller.call('press', { key: 'home', device })).structured
    await expect.poll(press, { timeout: 20_000 }).toMatchObject({ data: { key: 'home' } })
  })

  test.sequential('reads the screen and a picture of it as resources', async () => {
    const at = `svc://devices/${encodeURIComponent(device)}`
    const screen = await caller.client.readResource({ uri: `${at}/screen` })
    expect(screen.contents[0]).toMatchObject({ text: expect.stringMatching(/^screen \d+ /) })
    const shot = await caller.client.readResource({ uri: `${at}/screenshot` })
    expect(shot.contents[0]).toMatchObject({ mimeType: 'image/png', blob: expect.stringMatching(/^iVBOR/) })
    await expect(caller.client.readResource({ uri: 'svc://devices/nobody/screen' })).rejects.toThrow('DEVICE_NOT_FOUND')
  })
})
