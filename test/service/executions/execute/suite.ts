/** What an execution does on a device, whichever way it takes there. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ResultEnvelope } from '../../../../src/contracts/executions/execution-result.ts'
import { type Lab, type LabExecution, type LabOptions, startLab } from '../../../support/executions/lab.ts'
import { DEVICE_CONFLICT } from '../../../support/failure-codes.ts'
import { until } from '../../../support/until.ts'

export interface Way extends LabOptions {
  name: string
  operatorPackage?: string
  /** Two ways have all the tests; on the others the main job and a tap show that they reach the same device. */
  isFull?: boolean
}

const openSettings = { id: 'open', type: 'open_app', params: { applicationId: 'com.android.settings' } }
const byText = (textEquals: string) => ({ matcher: { textEquals } })

/** Each way has devices of its own and most of it waits for them, so the ways run together; on one device, test follows test. */
export const executionSuite = ({ name, operatorPackage, isFull = false, ...options }: Way) =>
  describe.concurrent(name, () => {
    let lab: Lab
    beforeAll(async () => {
      lab = await startLab(options)
    })
    afterAll(() => lab.close())

    const run = (actions: readonly unknown[], more: LabExecution = {}) =>
      lab.execute(actions, { ...more, ...(operatorPackage === undefined ? {} : { operatorPackage }) })
    const envelopeOf = async (actions: readonly unknown[], more: LabExecution = {}): Promise<ResultEnvelope> => {
      const { result } = await run(actions, more)
      if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`)
      return result.envelope
    }
    const dataOf = (envelope: ResultEnvelope, id: string) => envelope.stepResults.find(step => step.id === id)?.data

    test.sequential('the main job: open, scroll, tap, read', async () => {
      const envelope = await envelopeOf(
        [
          openSettings,
          {
            id: 'find',
            type: 'scroll_until',
            params: { ...byText('About phone'), clickAfter: true, maxDurationMs: 60_000 },
          },
          { id: 'wait', type: 'wait_for_node', params: byText('Android version') },
          { id: 'version', type: 'read_key_value_pair', params: { labelMatcher: { textEquals: 'Android version' } } },
          { id: 'back', type: 'press_key', params: { key: 'back' } },
        ],
        { timeoutMs: 90_000 },
      )
      expect(envelope).toMatchObject({ commandId: 'c1', taskId: 't1', status: 'success', error: null })
      expect(envelope.stepResults.map(({ id, success }) => `${id}:${success}`)).toEqual([
        'open:true',
        'find:true',
        'wait:true',
        'version:true',
        'back:true',
      ])
      expect(dataOf(envelope, 'version')).toMatchObject({ label: 'Android version', value: '15' })
    })

    test.sequential('a tap toggles a switch, once', async () => {
      const matcher = { resourceId: 'com.android.settings:id/wifi_switch' }
      const checked = (xml: string | undefined) => /wifi_switch"[^>]* checked="(true|false)"/.exec(xml ?? '')?.[1]
      const envelope = await envelopeOf([
        openSettings,
        { id: 'before', type: 'snapshot' },
        { id: 'tap', type: 'click', params: { matcher } },
        { id: 'after', type: 'snapshot' },
      ])
      const before = checked(dataOf(envelope, 'before')?.text)
      expect(['true', 'false']).toContain(before)
      expect(checked(dataOf(envelope, 'after')?.text)).toBe(before === 'true' ? 'false' : 'true')
    })

    test.sequential('a text without a matcher goes into the field that has the focus', async () => {
      const matcher = { resourceId: 'com.android.settings:id/search' }
      const enter = (id: string, text: string, more = {}) => ({ id, type: 'enter_text', params: { text, ...more } })
      const unfocused = await envelopeOf([openSettings, enter('lost', 'nobody')])
      expect(unfocused.error).toMatchObject({ code: 'NODE_NOT_FOUND', hint: expect.stringMatching(/^Tap the field/) })
      expect(dataOf(unfocused, 'lost')).toEqual({
        error: 'NODE_NOT_FOUND',
        message: 'No UI node found matching criteria focused=true, role=textfield: no text field has the focus',
      })
      const envelope = await envelopeOf(
        [
          { id: 'tap', type: 'click', params: { matcher } },
          enter('first', 'old text'),
          enter('second', 'ab'),
          enter('third', ' c', { append: true }),
          { id: 'read', type: 'read_text', params: { matcher } },
          enter('fourth', 'xyz', { clear: true, submit: true }),
          { id: 'again', type: 'read_text', params: { matcher } },
          { id: 'close', type: 'close_app', params: { applicationId: 'com.android.settings' } },
        ],
        { timeoutMs: 60_000 },
      )
      expect(envelope.error).toBeNull()
      expect(dataOf(envelope, 'second')).toEqual({ text: 'ab', submit: 'false', text_length: '2' })
      expect(dataOf(envelope, 'read')?.text).toBe('ab c')
      expect(dataOf(envelope, 'fourth')).toEqual({ text: 'xyz', submit: 'true', text_length: '3' })
      expect(dataOf(envelope, 'again')?.text).toBe('xyz')
    })

    if (!isFull) return

    test.sequential('a snapshot has the documented form and says what is in front', async () => {
      const envelope = await envelopeOf([openSettings, { id: 'snap', type: 'snapshot' }])
      const data = dataOf(envelope, 'snap')
      expect(data?.text).toMatch(/^<\?xml version=.*\?>\n<hierarchy rotation="0">\n {2}<node index="0" text="/)
      expect(data?.text).toContain('resource-id="com.android.settings:id/search"')
      expect(data?.foreground_package).toBe('com.android.settings')
    })

    test.sequential('host steps run in their listed place', async () => {
      const path = join(lab.home, 'shot.png')
      const envelope = await envelopeOf([
        openSettings,
        { id: 'first', type: 'snapshot' },
        { id: 'shot', type: 'take_screenshot', params: { path } },
        { id: 'close', type: 'close_app', params: { applicationId: 'com.android.settings' } },
        { id: 'second', type: 'snapshot' },
      ])
      expect(envelope.stepResults.map(({ id }) => id)).toEqual(['open', 'first', 'shot', 'close', 'second'])
      expect(dataOf(envelope, 'first')?.foreground_package).toBe('com.android.settings')
      expect(dataOf(envelope, 'second')?.foreground_package).not.toBe('com.android.settings')
      expect(dataOf(envelope, 'shot')).toEqual({ path })
      expect(readFileSync(path).subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))
    })

    test.sequential('text with every kind of character arrives as it is', async () => {
      const text = `a'b"c $HOME \`x\` ; rm -rf / & | < > \\ %s %d * ? ~ ! # (x) [y] {z}`
      const field = { resourceId: 'com.android.settings:id/search' }
      const envelope = await envelopeOf([
        openSettings,
        { id: 'type', type: 'enter_text', params: { matcher: field, text, clear: true } },
        { id: 'read', type: 'read_text', params: { matcher: field } },
        { id: 'clear', type: 'enter_text', params: { matcher: field, text: 'x', clear: true } },
      ])
      expect(dataOf(envelope, 'read')?.text).toBe(text)
    })

    test.sequential('a failed step ends the list, and says which, why and where', async () => {
      const envelope = await envelopeOf([
        openSettings,
        { id: 'gone', type: 'click', params: byText('No such row') },
        { id: 'never', type: 'press_key', params: { key: 'home' } },
      ])
      expect(envelope).toMatchObject({
        status: 'failed',
        errorCode: 'NODE_NOT_FOUND',
        error: { code: 'NODE_NOT_FOUND' },
      })
      expect(envelope.stepResults.map(({ id }) => id)).toEqual(['open', 'gone'])
      expect(dataOf(envelope, 'gone')).toMatchObject({ error: 'NODE_NOT_FOUND' })
      expect(dataOf(envelope, 'gone')?.message).toContain('No UI node found matching criteria')
      expect(dataOf(envelope, 'gone')?.message).toContain('textEquals=No such row')
    })

    test.sequential('the same commandId twice is two executions, each with a receipt', async () => {
      const step = [{ id: 'nap', type: 'sleep', params: { durationMs: 1 } }]
      const [first, second] = [await run(step), await run(step)]
      expect(first.executionId).not.toBe(second.executionId)
      for (const { executionId = '' } of [first, second]) {
        expect(lab.services.journal().receipt(executionId)).toMatchObject({ state: 'settled', commandId: 'c1' })
      }
    })

    test.sequential('two at once on one device: one runs, the other learns who holds it', async () => {
      const nap = (ms: number) => [{ id: 'nap', type: 'sleep', params: { durationMs: ms } }]
      const first = run(nap(3_000), { commandId: 'holder' })
      const holds = () => lab.services.journal().receipts({ commandId: 'holder' })[0]?.state === 'dispatched'
      await until(holds, 'the first to have the device')
      const second = await run(nap(1))
      expect(second.result).toMatchObject({
        ok: false,
        error: { code: DEVICE_CONFLICT, details: { holder: { pid: process.pid, commandId: 'holder' } } },
      })
      expect((await first).result.ok).toBe(true)
      expect((await run(nap(1))).result.ok).toBe(true)
    })
  })
