import { describe, expect, test } from 'vitest'
import { StepFailure } from '../../../src/device/screen/step-failure.ts'
import { act } from '../screen/act.ts'

const values = { 'device.model': 'Svc Sim', 'foreground_app.icon': '{{device.model}}' }

const DEFAULTS = {
  anchor: 'left',
  text_align: 'left',
  top_offset_dp: '8',
  edge_offset_dp: '8',
  width_dp: '280',
  font_size_sp: '12',
  text_color: '#FFFFFFFF',
  background_color: '#B3000000',
  ttl_ms: '300000',
}

describe('set_on_screen_log', () => {
  test('shows a text as it is, with the default settings', async () => {
    const { data, driver } = await act(
      { type: 'set_on_screen_log', params: { text: '{{device.model}}' } },
      { ui: { values } },
    )
    expect(data).toEqual({ visible: 'true', rendered: '{{device.model}}', truncated: 'false', ...DEFAULTS })
    expect(driver.calls).toEqual([
      [
        'show',
        {
          text: '{{device.model}}',
          anchor: 'left',
          textAlign: 'left',
          topOffsetDp: 8,
          edgeOffsetDp: 8,
          widthDp: 280,
          fontSizeSp: 12,
          textColor: '#FFFFFFFF',
          backgroundColor: '#B3000000',
          ttlMs: 300_000,
        },
      ],
    ])
  })

  test('echoes other settings', async () => {
    const params = {
      text: 'x',
      anchor: 'right',
      textAlign: 'right',
      topOffsetDp: 0,
      edgeOffsetDp: 1_000,
      widthDp: 80,
      fontSizeSp: 24,
      textColor: '#ff0000',
      backgroundColor: '#00ff0000',
      ttlMs: 1_000,
    } as const
    const { data } = await act({ type: 'set_on_screen_log', params }, { ui: { values } })
    expect(data).toEqual({
      visible: 'true',
      rendered: 'x',
      truncated: 'false',
      anchor: 'right',
      text_align: 'right',
      top_offset_dp: '0',
      edge_offset_dp: '1000',
      width_dp: '80',
      font_size_sp: '24',
      text_color: '#ff0000',
      background_color: '#00ff0000',
      ttl_ms: '1000',
    })
  })

  test('fills in a template once, and keeps doubled braces', async () => {
    const template = '{{{{a}}}}{{foreground_app.icon}}'
    const { data } = await act({ type: 'set_on_screen_log', params: { template } }, { ui: { values } })
    expect(data.rendered).toBe('{{a}}{{device.model}')
    expect(data.truncated).toBe('true')
  })

  test('passes on why the device could not show it', async () => {
    const { data } = await act(
      { type: 'set_on_screen_log', params: { template: '{{device.model}}' } },
      {
        ui: {
          values: new Proxy(values, {
            get: () => {
              throw new StepFailure('ON_SCREEN_LOG_TEMPLATE_FAILED', 'the model is unknown')
            },
          }),
        },
      },
    )
    expect(data).toEqual({ error: 'ON_SCREEN_LOG_TEMPLATE_FAILED', message: 'the model is unknown' })
  })
})

test('clear_on_screen_log takes it away', async () => {
  const { data, driver } = await act({ type: 'clear_on_screen_log' }, { ui: { values } })
  expect(data).toEqual({ visible: 'false' })
  expect(driver.calls).toEqual([['clear']])
})

test.each([{ type: 'set_on_screen_log', params: { text: 'x' } } as const, { type: 'clear_on_screen_log' } as const])(
  'without an overlay, $type is unsupported',
  async input => {
    const { data } = await act(input)
    expect(data).toEqual({
      error: 'EXECUTION_ACTION_UNSUPPORTED',
      message: 'this operator cannot draw over the screen',
    })
  },
)

describe('show_toast', () => {
  test.each([{ given: {}, duration: 'short' } as const, { given: { duration: 'long' }, duration: 'long' } as const])(
    'shows it $duration',
    async ({ given, duration }) => {
      const { data, driver } = await act(
        { type: 'show_toast', params: { text: 'Hi', ...given } },
        { ui: { values: {} } },
      )
      expect(data).toEqual({ submitted: 'true', duration })
      expect(driver.calls).toEqual([['showToast', 'Hi', duration]])
    },
  )

  test('says when the device does not', async () => {
    const ui = { values: {}, refused: new Set(['showToast']) }
    const { data } = await act({ type: 'show_toast', params: { text: 'Hi' } }, { ui })
    expect(data).toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
  })
})

test('cancel_toast takes it away', async () => {
  const { data, driver } = await act({ type: 'cancel_toast' }, { ui: { values: {} } })
  expect(data).toEqual({ submitted: 'true' })
  expect(driver.calls).toEqual([['cancelToast']])
})

test.each([{ type: 'show_toast', params: { text: 'x' } } as const, { type: 'cancel_toast' } as const])(
  'without an overlay, $type is unsupported',
  async input => {
    expect((await act(input)).data).toMatchObject({ error: 'EXECUTION_ACTION_UNSUPPORTED' })
  },
)
