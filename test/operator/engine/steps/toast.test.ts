import { describe, expect, test } from 'vitest'
import { act } from '../act.ts'

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
